const scheme = 'parley-file:';

export interface StoredFileName {
  readonly id: string;
  /** Bytes; 0 in history of a version that did not write it down. */
  readonly size: number;
}

/** How the history names a stored file. */
export function storedFileName({ id, size }: StoredFileName): string {
  return `${scheme}${id}:${size}`;
}

/** The stored file that a part's data names, or null. */
export function storedFileOf(data: unknown): StoredFileName | null {
  if (typeof data !== 'string' || !data.startsWith(scheme)) return null;
  const [id = '', size] = data.slice(scheme.length).split(':');
  return { id, size: Number(size ?? 0) };
}
