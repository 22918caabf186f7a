type Colour = readonly [number, number, number];

export type AccentTokens = {
  accent: string;
  /** Text on the accent. */
  onAccent: string;
  /** The accent, darkened or lightened until it is seen (3:1) and read (4.5:1) on each theme's surface. */
  onLight: string;
  onDark: string;
};

const light: Colour = [255, 255, 255];
const dark: Colour = [23, 25, 30];
const ink: Colour = [17, 19, 24];

/** A tenant may choose any colour; what is drawn on it and with it stays readable. */
export function accentTokens(hex: string): AccentTokens {
  const accent = parse(hex);
  const onAccent =
    contrast(accent, light) >= contrast(accent, ink) || contrast(accent, light) >= 4.5 ? light : ink;
  return {
    accent: print(accent),
    onAccent: print(onAccent),
    onLight: print(readable(accent, light, ink)),
    onDark: print(readable(accent, dark, light)),
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
const mix = (from: Colour, to: Colour, share: number) =>
  from.map((value, channel) => Math.round(value + (to[channel]! - value) * share)) as unknown as Colour;

/** The WCAG 2 contrast ratio. */
function contrast(one: Colour, other: Colour): number {
  const [lighter, darker] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function parse(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const print = (colour: Colour) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
