/** Text that some systems do not know, or take for something else: a .csv for a spreadsheet, a .ts for a film. */
const texts = new Map([
  ['csv', 'text/csv'],
  ['md', 'text/markdown'],
  ['json', 'application/json'],
]);
const plain = /\.(txt|log|ya?ml|toml|ini|sql|sh|py|[cm]?tsx?|[cm]?jsx?|rb|go|rs|java|kt|swift|cs|cpp?|h)$/i;

/** What a file is, for the service and for the model. */
export function mediaTypeOf({ name, type }: File): string {
  if (type.startsWith('text/')) return type;
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return texts.get(extension) ?? (plain.test(name) ? 'text/plain' : type || 'application/octet-stream');
}

/** Whether a policy's media types, `image/*` among them, take this one. */
export const isTaken = (mediaType: string, types: readonly string[]): boolean =>
  types.some((each) => {
    const wanted = each.toLowerCase();
    return wanted.endsWith('*') ? mediaType.startsWith(wanted.slice(0, -1)) : mediaType === wanted;
  });
