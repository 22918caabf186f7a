/** As long as a digest of SHA-256: a longer one adds nothing. */
const secretBytes = 32;

/** What nobody guesses, in letters and digits that survive every configuration file. */
export function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
