import { bytesPerToken, textTokens } from '../../limit/text-tokens.ts';
import { isTextFile } from '../../model/is-text-file.ts';
import type { Message } from '../../model/message.ts';
import { storedFileOf } from './stored-file.ts';

/** What a picture takes at most of the large providers' models. */
const tokensPerPicture = 1_600;
/** Of documents and sounds: a page of a PDF has some 50 kB and takes 1,000. */
const fileBytesPerToken = 50;

/** Messages do not change, so each is written out once. */
const known = new WeakMap<Message, number>();

/** About how many tokens the messages of a prompt take. Files that are named in them are taken as included. */
export function estimateTokens(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) sum += tokensOf(message);
  return sum;
}

function tokensOf(message: Message): number {
  const earlier = known.get(message);
  if (earlier !== undefined) return earlier;
  let tokens = textTokens(JSON.stringify(message));
  if (message.role === 'user' && typeof message.content !== 'string') {
    for (const part of message.content) tokens += part.type === 'file' ? fileTokens(part) : 0;
  }
  known.set(message, tokens);
  return tokens;
}

/** About how many tokens a stored file takes. */
export function fileTokens(part: { readonly mediaType: string; readonly data: unknown }): number {
  const file = storedFileOf(part.data);
  if (!file) return 0;
  const isText = isTextFile(part.mediaType);
  if (part.mediaType.startsWith('image/') && !isText) return tokensPerPicture;
  const bytesEach = isText ? bytesPerToken : fileBytesPerToken;
  return Math.max(tokensPerPicture, Math.ceil(file.size / bytesEach));
}
