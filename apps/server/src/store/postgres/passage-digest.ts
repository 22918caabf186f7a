const hashBytes = 3;
/** A hash as base64: as text, since the client of PostgreSQL gets bytes as twice as many digits, and copies them. */
const hashLength = 4;

/** FNV-1a of the UTF-16 units, folded to 24 bits: two terms of one passage hardly ever share it, and then they count together. */
function hashOf(term: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < term.length; at += 1) hash = Math.imul(hash ^ term.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 24)) & 0xffffff;
}

/** What a search counts in a passage, a quarter as long as its terms: the hash of each. */
export function passageDigest(terms: readonly string[]): string {
  const hashes = Buffer.allocUnsafe(terms.length * hashBytes);
  for (const [place, term] of terms.entries()) hashes.writeUIntBE(hashOf(term), place * hashBytes, hashBytes);
  return hashes.toString('base64');
}

/** Four characters of ASCII as one number. */
const packed = (digest: string, at: number) =>
  (digest.charCodeAt(at) << 21) |
  (digest.charCodeAt(at + 1) << 14) |
  (digest.charCodeAt(at + 2) << 7) |
  digest.charCodeAt(at + 3);

/** Reads how often these terms are said in passages. */
export function digestReader(
  terms: readonly string[],
): (digest: string) => { readonly length: number; readonly counts: readonly number[] } {
  const places = new Map(terms.map((term, place) => [packed(passageDigest([term]), 0), place]));
  return (digest) => {
    const counts = terms.map(() => 0);
    for (let at = 0; at < digest.length; at += hashLength) {
      const place = places.get(packed(digest, at));
      if (place !== undefined) counts[place]! += 1;
    }
    return { length: digest.length / hashLength, counts };
  };
}
