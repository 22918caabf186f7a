import type { MessageBody } from '../session/queue-item.ts';

/** Two messages as one, the first before the second. */
export function joinMessages(first: MessageBody | null, second: MessageBody | null): MessageBody | null {
  if (!first || !second) return first ?? second;
  return {
    ...second,
    text: `${first.text}\n${second.text}`,
    parts: [...first.parts, ...second.parts],
    fileIds: [...first.fileIds, ...second.fileIds],
    modelText: `${first.modelText ?? first.text}\n${second.modelText ?? second.text}`,
  };
}
