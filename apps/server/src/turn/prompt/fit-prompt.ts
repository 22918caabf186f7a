import { bytesPerToken } from '../../limit/text-tokens.ts';
import type { AssistantPart, Message, ToolOutput, ToolResultPart, UserPart } from '../../model/message.ts';
import type { HistoryMessage } from '../context.ts';
import { cutText } from './cut-text.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { leftOut, withNames } from './prompt-files.ts';

/** Bytes to which a text is cut at most, however little room there is. */
const minTextBytes = 600;

type Messages = readonly Message[];

/**
 * The messages of a prompt in at most about `tokens`, for where nothing is left to summarise: files of earlier turns
 * become their names, results of tools are cut, then the newest files become their names, and at last what was said is
 * cut. Every cut says so in its place.
 */
export function fitPrompt(
  entries: readonly HistoryMessage[],
  { tokens, currentTurn }: { readonly tokens: number; readonly currentTurn: number },
): Messages {
  const shorter: ((now: readonly HistoryMessage[]) => readonly HistoryMessage[])[] = [
    (now) => now,
    (now) => now.map((entry) => withNames(entry, () => entry.turn >= currentTurn)),
    (now) => cutTo(now, tokens, cutResults),
    (now) => now.map((entry) => withNames(entry, () => false, leftOut)),
    (now) => cutTo(now, tokens, cutSaid),
  ];
  let now = entries;
  for (const shorten of shorter) {
    now = shorten(now);
    if (estimateTokens(messagesOf(now)) <= tokens) break;
  }
  return messagesOf(now);
}

const messagesOf = (entries: readonly HistoryMessage[]): Messages => entries.map(({ message }) => message);

/** Gives every text of a message to `text`, and takes what comes back in its place. */
type Cut = (message: Message, text: (text: string) => string) => Message;

/** Cuts the longest texts to one length, such that all have room. */
function cutTo(entries: readonly HistoryMessage[], tokens: number, cut: Cut): readonly HistoryMessage[] {
  const sizes: number[] = [];
  for (const { message } of entries) {
    cut(message, (text) => {
      sizes.push(Buffer.byteLength(text));
      return text;
    });
  }
  const all = sizes.reduce((sum, size) => sum + size, 0);
  const room = tokens * bytesPerToken - (estimateTokens(messagesOf(entries)) * bytesPerToken - all);
  // Written out as JSON a text is longer than it is: every line break has two characters.
  const most = Math.max(minTextBytes, Math.floor(lengthFor(sizes, room) * 0.9));
  return entries.map((entry) => ({ ...entry, message: cut(entry.message, (text) => cutText(text, most)) }));
}

/** The length that texts may have for all of them to fit into `room`, when shorter ones stay as they are. */
function lengthFor(sizes: readonly number[], room: number): number {
  const sorted = sizes.toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index);
    if (size > share) return Math.max(share, 0);
    left -= size;
  }
  return Infinity;
}

const cutResults: Cut = (message, text) =>
  message.role === 'tool'
    ? { ...message, content: message.content.map((part) => cutResult(part, text)) }
    : message;

function cutResult(part: ToolResultPart, text: (text: string) => string): ToolResultPart {
  return { ...part, output: cutOutput(part.output, text) };
}

function cutOutput(output: ToolOutput, text: (text: string) => string): ToolOutput {
  if (output.type === 'text' || output.type === 'error-text') return { ...output, value: text(output.value) };
  if (output.type !== 'json' && output.type !== 'error-json') return output;
  const whole = JSON.stringify(output.value);
  const value = text(whole);
  return value === whole ? output : { type: output.type === 'json' ? 'text' : 'error-text', value };
}

const cutSaid: Cut = (message, text) => {
  if (message.role === 'tool') return message;
  if (message.role === 'team') return { ...message, content: text(message.content) };
  if (typeof message.content === 'string') return { ...message, content: text(message.content) };
  if (message.role === 'user')
    return { ...message, content: message.content.map((part) => cutPart(part, text)) };
  return { ...message, content: message.content.map((part) => cutPart(part, text)) };
};

function cutPart<T extends UserPart | AssistantPart>(part: T, text: (text: string) => string): T {
  if (part.type === 'text') return { ...part, text: text(part.text) };
  if (part.type !== 'tool-call') return part;
  const whole = JSON.stringify(part.input);
  const cut = text(whole);
  // Providers take arguments as an object only.
  return cut === whole ? part : { ...part, input: { arguments: cut } };
}
