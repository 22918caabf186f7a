export type ThumbnailKind = 'bubble' | 'inline' | 'two' | 'teaser' | 'form' | 'dark' | 'rtl' | 'hostile';

const line = (x: number, y: number, width: number, paint = 'var(--line)') =>
  `<rect x="${x}" y="${y}" width="${width}" height="5" rx="2.5" fill="${paint}"/>`;
const page = line(14, 16, 58) + line(14, 28, 76) + line(14, 38, 70) + line(14, 48, 40);
const launcher = (x: number) => `<circle cx="${x}" cy="84" r="8" fill="var(--accent)"/>`;

/** A panel at `x` with an answer and a question. */
const panel = (x: number, y: number, height: number) =>
  `<rect x="${x}" y="${y}" width="56" height="${height}" rx="7" fill="var(--surface)" stroke="var(--line)"/>` +
  `<rect x="${x + 22}" y="${y + 8}" width="28" height="10" rx="5" fill="var(--accent)"/>` +
  line(x + 7, y + 25, 38) +
  line(x + 7, y + 34, 30);

const drawings: Readonly<Record<ThumbnailKind, string>> = {
  bubble: page + panel(98, 14, 58) + launcher(146),
  inline: line(14, 16, 48) + line(14, 26, 34) + panel(70, 14, 72).replaceAll('width="56"', 'width="76"'),
  two: line(52, 16, 58) + line(46, 28, 70) + launcher(14) + launcher(146),
  teaser:
    page +
    `<rect x="74" y="74" width="58" height="20" rx="7" fill="var(--surface)" stroke="var(--line)"/>` +
    line(81, 81, 42) +
    launcher(146),
  form:
    page +
    `<rect x="98" y="10" width="56" height="64" rx="7" fill="var(--surface)" stroke="var(--line)"/>` +
    [18, 34]
      .map((y) => `<rect x="105" y="${y}" width="42" height="11" rx="3" fill="none" stroke="var(--line)"/>`)
      .join('') +
    `<rect x="105" y="52" width="42" height="13" rx="5" fill="var(--accent)"/>` +
    launcher(146),
  dark: `<rect width="160" height="100" fill="#17191e"/>${page.replaceAll('var(--line)', '#3b404b')}${panel(98, 14, 58).replaceAll('var(--surface)', '#20232a').replaceAll('var(--line)', '#3b404b')}${launcher(146)}`,
  rtl: line(88, 16, 58) + line(70, 28, 76) + line(76, 38, 70) + panel(6, 14, 58) + launcher(14),
  hostile:
    page.replaceAll('rx="2.5"', 'transform="skewX(-20)"').replaceAll('var(--line)', '#d9822b') +
    panel(98, 14, 58) +
    launcher(146),
};

/** A scene in a few strokes, in the colours of the page that shows it. */
export const thumbnail = (kind: ThumbnailKind): string =>
  `<svg viewBox="0 0 160 100" aria-hidden="true">${drawings[kind]}</svg>`;
