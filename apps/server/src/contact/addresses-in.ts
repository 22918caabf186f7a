/** What stands around an address in a list of them, in a header or in a sentence. */
const separators = [/[\s,;:<>()[\]"|]+/, /[\s,;:<>()[\]"|'!?/=&]+/];

/** Every address for mail that a text may mean, and rather one too many: what is not one equals none. */
export function addressesIn(text: string): string[] {
  const words = [text, ...separators.flatMap((separator) => text.split(separator))];
  const found = words.filter((word) => word.includes('@')).map((word) => word.trim().replace(/\.{1,3}$/, ''));
  return [...new Set(found)];
}
