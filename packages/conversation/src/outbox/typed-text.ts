import type { MessagePart } from '@parley/protocol/event';

/** A message as the log has it; its text names the files too. */
type Message = { text: string; parts?: readonly MessagePart[] | undefined };

/** What the visitor wrote. */
export const typedText = ({ text, parts }: Message): string =>
  parts?.some(({ type }) => type === 'file')
    ? parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n')
    : text;
