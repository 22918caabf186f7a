const longest = 80;

/** Cut here, not by the style: what is shown is what is read out, at any size of text. */
export function beginning(text: string): string {
  const characters = Array.from(text.trim());
  return characters.length > longest ? `${characters.slice(0, longest).join('').trim()}…` : text;
}
