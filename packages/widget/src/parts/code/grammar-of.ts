const names =
  'js javascript mjs cjs node|ts typescript|jsx tsx|json json5 jsonc|python py|bash sh shell zsh console|html xml svg vue|' +
  'css scss less|sql postgresql mysql sqlite|yaml yml|diff patch|family c cpp c++ h cs csharp go java kotlin kt rust rs swift|php';

/** The grammar for what stands behind an opening fence, none if it is not one of ours. */
export function grammarOf(language: string): string | undefined {
  const wanted = language.toLowerCase();
  return names
    .split('|')
    .map((each) => each.split(' '))
    .find((each) => each.includes(wanted))?.[0];
}
