/** Without the run of `mark` at the end. A loop, because `/x+$/` takes quadratic time. */
export function trimTrailing(text: string, mark: string): string {
  let end = text.length;
  while (text[end - 1] === mark) end--;
  return text.slice(0, end);
}
