type Colour = readonly [number, number, number];

/** What a launcher must have against a white page to be seen (WCAG 2, 1.4.11). */
const leastContrast = 3;
/** How far a colour is from grey, as the distance of its channels, for it to be anybody's own. */
const leastChroma = 60;
/** Characters of style sheets that are looked through. */
const maxCss = 3_000_000;
/** Custom properties whose names say that they hold the colour of a brand. */
const brandName =
  /^--[\w-]*(?:brand|accent|primary|theme)(?:-?(?:color|colour|500|600|default|main|base))?$/i;

/**
 * The colour of a website: what it declares, then what its style sheets call its own, then what they use most. Darkened
 * until it stands out on white; null where everything is grey.
 */
export function accentOf({
  declared,
  css,
}: {
  readonly declared: readonly string[];
  readonly css: string;
}): string | null {
  const text = css.slice(0, maxCss);
  const found = [...declared, ...brandColours(text)].map(parseColour).find(isColourful) ?? mostUsed(text);
  return found ? print(visible(found)) : null;
}

function brandColours(css: string): string[] {
  const declarations = [...css.matchAll(/(--[\w-]{1,60})\s*:\s*([^;{}]{1,60})/g)];
  return declarations.flatMap(([, name = '', value = '']) => (brandName.test(name) ? [value.trim()] : []));
}

function mostUsed(css: string): Colour | null {
  const counts = new Map<string, { colour: Colour; count: number }>();
  for (const [text] of css.matchAll(/#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]{5,40}\)/gi)) {
    const colour = parseColour(text);
    if (!isColourful(colour)) continue;
    const known = counts.get(print(colour)) ?? { colour, count: 0 };
    known.count += 1;
    counts.set(print(colour), known);
  }
  const [first] = [...counts.values()].toSorted((one, other) => other.count - one.count);
  return first?.colour ?? null;
}

const isColourful = (colour: Colour | null): colour is Colour =>
  colour !== null && Math.max(...colour) - Math.min(...colour) >= leastChroma;

/** Null for what is none, and for what is see-through. */
function parseColour(text: string): Colour | null {
  const value = text.trim();
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(value)?.[1];
  if (hex !== undefined) {
    const digits = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
    return eachOf([0, 2, 4], (at) => Number.parseInt(digits.slice(at, at + 2), 16));
  }
  const [, space, inner = ''] = /^(rgb|hsl)a?\(([^()]{5,40})\)$/i.exec(value) ?? [];
  const [one = '', two = '', three = '', alpha] = inner.trim().split(/[\s,/]+/);
  const numbers = eachOf([one, two, three], Number.parseFloat);
  if (
    space === undefined ||
    numbers.some(Number.isNaN) ||
    (alpha !== undefined && Number.parseFloat(alpha) !== 1)
  )
    return null;
  if (space.toLowerCase() === 'hsl') return fromHsl(numbers);
  const scale = one.endsWith('%') ? 2.55 : 1;
  return eachOf(numbers, (each) => Math.min(255, Math.max(0, Math.round(each * scale))));
}

function fromHsl([hue, saturation, lightness]: Colour): Colour {
  const [s, l] = [Math.min(100, saturation) / 100, Math.min(100, lightness) / 100];
  const channel = (offset: number) => {
    const k = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    return Math.round(255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** The colour, darkened as far as it takes to be seen on white. */
function visible(colour: Colour): Colour {
  for (let share = 1; share > 0.2; share -= 0.05) {
    const darker = eachOf(colour, (value) => Math.round(value * share));
    if (1.05 / (luminance(darker) + 0.05) >= leastContrast) return darker;
  }
  return colour;
}

function luminance(colour: Colour): number {
  const [red, green, blue] = eachOf(colour, (value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** What comes of each of its three channels. */
const eachOf = <Channel>(
  [red, green, blue]: readonly [Channel, Channel, Channel],
  of: (channel: Channel) => number,
): Colour => [of(red), of(green), of(blue)];

const print = (colour: Colour) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
