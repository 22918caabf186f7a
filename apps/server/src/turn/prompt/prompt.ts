import type { Message, UserPart } from '../../model/message.ts';
import type { MessageBody } from '../../session/queue-item.ts';
import type { SessionState, Summary } from '../../session/state/schema.ts';
import type { HistoryMessage, TurnContext } from '../context.ts';
import { storedFileName } from './stored-file.ts';

/** What the model reads of a message. Files are named by id here and filled in when the prompt is built. */
function userMessage({ text, modelText, parts, fileIds }: MessageBody): Message {
  if (parts.every(({ type }) => type === 'text')) return { role: 'user', content: modelText ?? text };
  const ids = [...fileIds];
  const content: UserPart[] = [];
  for (const part of parts) {
    const id = part.type === 'file' && part.size !== undefined ? ids.shift() : undefined;
    if (part.type === 'file' && id) {
      const data = storedFileName({ id, size: part.size ?? 0 });
      const file = { type: 'file' as const, mediaType: part.mediaType, data };
      content.push(part.filename === undefined ? file : { ...file, filename: part.filename });
    } else {
      content.push({
        type: 'text',
        text:
          part.type === 'text'
            ? part.text
            : `[file: ${part.filename ?? part.mediaType} (${part.mediaType}) at ${part.url}]`,
      });
    }
  }
  return { role: 'user', content };
}

/** What a turn adds to the history: what the page told about itself, then the message. */
export function askedIn(
  turn: number,
  context: readonly string[],
  message: MessageBody | null,
): HistoryMessage[] {
  const messages = context.map((entry): Message => ({
    role: 'user',
    content: `Client context:\n${entry}`,
  }));
  if (message) messages.push(userMessage(message));
  return messages.map((said) => ({ turn, message: said }));
}

/** The entries of a prompt: the last summary, then every turn after it. Files are named, not included. */
export function promptEntries({
  state,
  history,
}: Pick<TurnContext, 'state' | 'history'>): readonly HistoryMessage[] {
  const turns = currentHistory(state, history);
  const { summary, clearedUpTo } = state;
  if (!summary || summary.through <= clearedUpTo) return turns;
  return [{ turn: summary.through, message: summaryMessage(summary.text) }, ...turns];
}

export function summaryMessage(text: string): Message {
  return { role: 'user', content: `Summary of the conversation so far:\n${text}` };
}

/** The turns that neither a summary stands for nor `clear` has removed. */
export function currentHistory(
  state: SessionState,
  history: readonly HistoryMessage[],
): readonly HistoryMessage[] {
  const after = historyStart(state);
  return after < 0 ? history : history.filter(({ turn }) => turn > after);
}

/** What says where the history of a prompt begins. */
export interface HistoryStart extends Pick<SessionState, 'clearedUpTo'> {
  readonly summary: Pick<Summary, 'through'> | null;
}

/** The last turn that prompts leave out, because it was cleared or a summary stands for it; -1 for none. */
export function historyStart({ clearedUpTo, summary }: HistoryStart): number {
  return Math.max(clearedUpTo, summary?.through ?? -1);
}
