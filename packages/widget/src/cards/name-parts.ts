import type { MessagePart } from '@parley/protocol/event';

/** A message with files as the log will show it: its text names them. */
export function nameParts(
  typed: string,
  files: readonly File[],
): { text: string; parts: readonly MessagePart[] } {
  const parts: MessagePart[] = files.map(({ name, type, size }) => ({
    type: 'file',
    mediaType: type,
    ...(name && { filename: name }),
    size,
  }));
  const names = files.map(({ name, type }) => `[file: ${name || type} (${type})]`);
  if (!typed) return { text: names.join('\n'), parts };
  return { text: [typed, ...names].join('\n'), parts: [{ type: 'text', text: typed }, ...parts] };
}
