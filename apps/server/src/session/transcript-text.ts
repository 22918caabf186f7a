import type { InputRequest } from '@parley/protocol/ask';
import type { Author, EventDataByType, SessionEvent } from '@parley/protocol/event';
import { answerText } from './answer-text.ts';

/** What the conversation is called by, and when it began. */
interface Heading {
  readonly agentName: string;
  readonly createdAt: number;
}

/**
 * The conversation as somebody would read it: who said what and when, what was asked and answered, which tools were
 * used. Everything that was said is indented, so that no message can pass for a line of the transcript.
 */
export async function* transcriptText(
  events: AsyncIterable<SessionEvent>,
  { agentName, createdAt }: Heading,
): AsyncGenerator<string, void> {
  const agent = oneLine(agentName);
  const requests = new Map<string, InputRequest>();
  let unfinished = '';
  yield `Conversation with ${agent}\nBegun ${time(new Date(createdAt).toISOString())}\n`;

  for await (const event of events) {
    const at = time(event.meta.at);
    const line = (text: string) => `\n[${at}] ${text}\n`;
    const says = (who: string, text: string) => `${line(`${who}:`)}${indented(text)}\n`;
    switch (event.type) {
      case 'message.received':
        yield says('Visitor', event.data.message);
        break;
      case 'message.appended':
        unfinished += event.data.messageDelta;
        break;
      case 'message.completed':
        unfinished = '';
        if (event.data.message !== null) yield says(speaker(event.data.author, agent), event.data.message);
        break;
      case 'result.completed':
        yield says(agent, JSON.stringify(event.data.result, null, 2));
        break;
      case 'action.amended':
        yield line(`A person of the team changed what ${agent} wants to do.`);
        break;
      case 'action.result':
        yield line(`${agent} used ${oneLine(event.data.result.toolName)}: ${outcome(event.data)}`);
        break;
      case 'input.requested':
        for (const request of event.data.requests) {
          requests.set(request.requestId, request);
          yield says(`${agent} asked`, asked(request));
        }
        break;
      case 'input.answered': {
        const who = event.data.by === 'visitor' ? 'Visitor' : 'Team';
        yield says(`${who} answered`, answerText(event.data, requests.get(event.data.requestId)));
        break;
      }
      case 'input.approved': {
        const { by, given, needed } = event.data;
        yield line(`${by === 'visitor' ? 'Visitor' : 'Team'} approved (${given} of ${needed}).`);
        break;
      }
      case 'turn.cancelled':
        if (unfinished !== '') yield says(`${agent} (unfinished)`, unfinished);
        unfinished = '';
        yield line('The answer was stopped.');
        break;
      case 'turn.failed':
        if (unfinished !== '') yield says(`${agent} (unfinished)`, unfinished);
        unfinished = '';
        yield line(`There was no answer: ${oneLine(event.data.message)}`);
        break;
      case 'team.joined':
        yield line(`${speaker(event.data.author, 'A person')} joined.`);
        break;
      case 'team.left':
        yield line(`${speaker(event.data.author, 'The person')} left; ${agent} answers again.`);
        break;
      case 'team.asked':
        yield line(`${agent} asked a colleague.`);
        break;
      case 'team.answered':
        yield line(`${agent} ${event.data.outcome === 'answered' ? 'was answered' : 'was not answered'}.`);
        break;
      case 'context.cleared':
        yield line('The conversation was cleared.');
        break;
      case 'session.completed':
        yield line('The conversation ended.');
        break;
    }
  }
}

/** Who spoke, where it was a person of the team. */
function speaker(author: Author | undefined, otherwise: string): string {
  return author?.kind === 'team' ? `${oneLine(author.name ?? 'A person')} (team)` : otherwise;
}

function outcome({ status, error }: EventDataByType['action.result']): string {
  if (status === 'completed') return 'done';
  return error ? `${status} (${oneLine(error.message)})` : status;
}

function asked({ kind, prompt, action, options = [] }: InputRequest): string {
  const choices = options.map(({ label }) => `- ${oneLine(label)}`);
  const details = kind === 'tool-approval' ? [JSON.stringify(action.input)] : [];
  return [prompt, ...details, ...choices].join('\n');
}

const time = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;

/** What would make a terminal act or misplace text. */
const controls = /(?!\t)[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const indented = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u0085\u2028\u2029]/)
    .map((part) => `    ${part.replaceAll(controls, '\ufffd')}`)
    .join('\n');

const oneLine = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(controls, '\ufffd').slice(0, 300).toWellFormed();
