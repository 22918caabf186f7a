/** Characters that a passage is filled up to, and those of which one never has more. */
const filled = 900;
const longest = 1_400;
/** Characters of a heading that names a passage. */
const longestHeading = 200;

export interface TextPassage {
  /** The headings that it stands under, the outermost first. */
  readonly headings: readonly string[];
  readonly text: string;
}

/** Lines of a document; what comes behind them is not read. A megabyte of prose has half as many. */
const maxLines = 50_000;

const headingMark = /^#{1,6}(?=[ \t])/;
const fence = /^\s*(?:```|~~~)/;

/** Cuts Markdown, or plain text, into passages: at its headings, between paragraphs, and only then inside one. */
export function splitPassages(markdown: string): TextPassage[] {
  const passages: TextPassage[] = [];
  const path: { readonly level: number; readonly text: string }[] = [];
  let paragraphs: string[] = [];
  let paragraph: string[] = [];
  let length = 0;
  let fenced = false;

  const endPassage = () => {
    const text = paragraphs.join('\n\n').trim();
    if (text !== '') passages.push({ headings: path.map((each) => each.text), text });
    paragraphs = [];
    length = 0;
  };
  const endParagraph = () => {
    for (const piece of pieces(paragraph.join('\n').trimEnd())) {
      if (length > 0 && length + piece.length > filled) endPassage();
      paragraphs.push(piece);
      length += piece.length;
    }
    paragraph = [];
  };

  for (const line of markdown.split(/\r\n?|\n/, maxLines)) {
    if (fence.test(line)) fenced = !fenced;
    const found = fenced ? null : headingOf(line);
    if (found) {
      endParagraph();
      endPassage();
      while (path.length > 0 && path.at(-1)!.level >= found.level) path.pop();
      path.push(found);
    } else if (line.trim() === '' && !fenced) endParagraph();
    else paragraph.push(line);
  }
  endParagraph();
  endPassage();
  return passages;
}

/** Step by step: a pattern that looks for its end takes time with the square of a line that seems to end again and again. */
function headingOf(line: string): { level: number; text: string } | null {
  const level = headingMark.exec(line)?.[0].length;
  if (level === undefined) return null;
  const text = line.slice(level, level + 2 * longestHeading).trim();
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  // The last word of `# C#` is no mark that closes it (CommonMark, 4.2).
  const named = /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
  return text === '' ? null : { level, text: named.slice(0, longestHeading).toWellFormed() };
}

/** A paragraph that is too long for a passage in pieces: after sentences or lines where there are any. */
function pieces(paragraph: string): string[] {
  const result: string[] = [];
  let rest = paragraph;
  while (rest.length > longest) {
    const end = lastBreak(rest.slice(0, longest));
    result.push(rest.slice(0, end).toWellFormed());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '') result.push(rest.toWellFormed());
  return result;
}

function lastBreak(text: string): number {
  for (const end of [/^[\s\S]*(?:\n|[.!?](?=\s)|[。！？])/u, /^[\s\S]*\s/]) {
    const found = end.exec(text)?.[0].length ?? 0;
    if (found > text.length / 3) return found;
  }
  return text.length;
}
