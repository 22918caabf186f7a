/** How far into a document it may say how it is encoded, in bytes. */
const prescanned = 2_048;

/**
 * The encoding that a document names, in the order of the HTML standard (13.2.3.2, determining the character encoding): a
 * byte order mark, the media type it was sent with, its `<meta>` or XML declaration. null: it names none. One that does not
 * exist is named only where there is no other.
 */
export function namedEncoding(bytes: Uint8Array, mediaType: string): string | null {
  const named = [markedEncoding(bytes), charsetOf(mediaType), declaredEncoding(bytes, mediaType)].filter(
    (encoding) => encoding !== null,
  );
  return named.find(exists) ?? named[0] ?? null;
}

function exists(encoding: string): boolean {
  try {
    return new TextDecoder(encoding).encoding !== '';
  } catch {
    return false;
  }
}

function markedEncoding([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null;
}

function charsetOf(mediaType: string): string | null {
  return /;\s*charset=["']?([\w-]{1,40})/i.exec(mediaType)?.[1] ?? null;
}

function declaredEncoding(bytes: Uint8Array, mediaType: string): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, prescanned));
  // What is no markup only quotes it.
  if (!/^\s*</.test(head) && !/^text\/html\b/i.test(mediaType)) return null;
  const declared =
    /^\s*<\?xml[^<>]{1,200}encoding=["']([\w-]{1,40})/i.exec(head)?.[1] ??
    /<meta[^<>]{1,200}charset=["']?([\w-]{1,40})/i.exec(head)?.[1];
  // A declaration that can be read as ASCII is not in UTF-16, whatever it says.
  return declared === undefined ? null : /^utf-16/i.test(declared) ? 'utf-8' : declared;
}
