const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- they are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu;

const escape = (character: string) => {
  const code = character.codePointAt(0)!.toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
};

/** Shows characters that hide or reorder text as escapes: what is approved is what is seen. */
export const escapeInvisible = (text: string) => text.replace(invisible, escape);

/** A value as indented JSON with nothing invisible in it. */
export const visibleJson = (value: unknown) => escapeInvisible(JSON.stringify(value, null, 2) ?? 'null');

/** A tool's name as words: `get_weather` becomes `Get weather`. */
export function toolTitle(name: string): string {
  const words = escapeInvisible(name)
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1);
}
