/** A place in a list ordered by (createdAt, id). */
export interface Place {
  readonly createdAt: string;
  readonly id: string;
}

export function encodeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt} ${id}`).toString('base64url');
}

/** Any text is a place; one that no list gave out is merely somewhere. */
export function decodeCursor(cursor: string): Place {
  const [createdAt = '', id = ''] = Buffer.from(cursor, 'base64url')
    .toString()
    .replaceAll('\0', '')
    .split(' ');
  return { createdAt, id };
}
