import type { MessagePart } from '@parley/protocol/event';

/** A message with files as the log will show it: its text names them. The service takes no name with control characters. */
export function nameParts(
  typed: string,
  files: readonly File[],
): { text: string; parts: readonly MessagePart[] } {
  const named = files.map(({ name, type, size }) => ({ name: name.replaceAll(/\p{Cc}/gu, ' '), type, size }));
  const parts: MessagePart[] = named.map(({ name, type, size }) => ({
    type: 'file',
    mediaType: type,
    ...(name && { filename: name }),
    size,
  }));
  const names = named.map(({ name, type }) => `[file: ${name || type} (${type})]`);
  if (!typed) return { text: names.join('\n'), parts };
  return { text: [typed, ...names].join('\n'), parts: [{ type: 'text', text: typed }, ...parts] };
}
