import type { SessionEvent } from '@parley/protocol/event';
import type { History } from '../log-checker/history.ts';

/** What the script says to a message, where no crash can change it. */
function expectedAnswer(message: string): string | null {
  switch (message.split(' ', 1)[0]) {
    case 'plain':
    case 'queue':
      return `You said ${message}. `.repeat(3);
    case 'chat':
      return `Word for ${message}. `.repeat(8);
    case 'long':
      return 'Another word and '.repeat(15);
    case 'safe':
      return `Looking. Found {"done":"${message}"}.`;
    default:
      return null;
  }
}

/** Turns whose text is not the script's: a word lost, doubled or out of place. */
export function wrongAnswers({ logs }: History): { invariant: 'answer'; detail: string }[] {
  const wrong: { invariant: 'answer'; detail: string }[] = [];
  for (const [session, lines] of logs) {
    let message = '';
    let said = '';
    for (const line of lines) {
      const event: SessionEvent = JSON.parse(line);
      if (event.type === 'turn.started') said = '';
      if (event.type === 'message.received') message = event.data.message;
      if (event.type === 'message.appended') said += event.data.messageDelta;
      if (event.type !== 'turn.completed') continue;
      const expected = expectedAnswer(message);
      if (expected === null || said === expected) continue;
      wrong.push({ invariant: 'answer', detail: `${session} answered ${message} with ${said}` });
    }
  }
  return wrong;
}
