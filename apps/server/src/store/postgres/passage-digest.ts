const hashBytes = 4;

/** FNV-1a of the UTF-16 units, 32 bits: two terms of one passage hardly ever share it, and then they count together. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** What a search counts in a passage, a quarter as long as its terms: the hash of each, big-endian. */
export function passageDigest(terms: readonly string[]): Buffer {
  const digest = Buffer.allocUnsafe(terms.length * hashBytes);
  for (const [place, term] of terms.entries()) digest.writeInt32BE(hashOf(term), place * hashBytes);
  return digest;
}

/** Reads how often these terms are said in passages. */
export function digestReader(
  terms: readonly string[],
): (digest: Buffer) => { readonly length: number; readonly counts: readonly number[] } {
  const places = new Map(terms.map((term, place) => [hashOf(term), place]));
  return (digest) => {
    const counts = terms.map(() => 0);
    for (let at = 0; at < digest.length; at += hashBytes) {
      const place = places.get(digest.readInt32BE(at));
      if (place !== undefined) counts[place]! += 1;
    }
    return { length: digest.length / hashBytes, counts };
  };
}
