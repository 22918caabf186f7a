export type Colour = readonly [number, number, number];

const light: Colour = [255, 255, 255];
const dark: Colour = [32, 35, 42];
const ink: Colour = [17, 19, 24];

/**
 * A tenant may choose any colour; what is drawn on it and with it stays readable. Custom properties: the colour, what
 * is written on it, and the colour darkened or lightened until it is read (4.5:1) on each theme's surfaces, of which cards are the lighter in the dark.
 */
export function accentTokens(hex: string): Record<string, string> {
  const accent = parse(hex);
  const onLight = contrast(accent, light);
  return {
    '--parley-on-accent': print(onLight >= 4.5 || onLight >= contrast(accent, ink) ? light : ink),
    '--parley-accent-on-light': print(readable(accent, light, ink)),
    '--parley-accent-on-dark': print(readable(accent, dark, light)),
  };
}

function readable(colour: Colour, surface: Colour, towards: Colour): Colour {
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(colour, towards, share);
    if (contrast(mixed, surface) >= 4.5) return mixed;
  }
  return towards;
}

// `map` keeps the length, which its type does not say.
export const mix = (from: Colour, to: Colour, share: number) =>
  from.map((value, channel) => Math.round(value + (to[channel]! - value) * share)) as unknown as Colour;

/** The WCAG 2 contrast ratio. */
export function contrast(one: Colour, other: Colour): number {
  const [first, second] = [luminance(one) + 0.05, luminance(other) + 0.05];
  return Math.max(first / second, second / first);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export const parse = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Colour;

export const print = (colour: Colour) =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
