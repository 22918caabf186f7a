import type { MessagePart } from '@parley/protocol/event';

/** A message as the log will show it: its text names the files. */
export function nameParts(
  said: string,
  files: readonly File[],
): { text: string; parts?: readonly MessagePart[] } {
  const typed = said.toWellFormed();
  if (files.length === 0) return { text: typed };
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
