/** Of all characters of a text, those that stand for bytes which could not be read, beyond which nobody can read it. */
const garbledShare = 0.25;

export function isGarbled(text: string): boolean {
  return text.length - text.replaceAll('\ufffd', '').length > text.length * garbledShare;
}
