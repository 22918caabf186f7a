import { accentTokens, contrast, mix, parse, print } from '@parley/widget/accent';

export type Theme = 'light' | 'dark';

/** Two colours that the widget puts on each other, and what WCAG 2.2 asks of them. */
export interface AccentCheck {
  readonly theme: Theme;
  readonly what: string;
  readonly foreground: string;
  readonly background: string;
  readonly ratio: number;
  readonly least: number;
  readonly criterion: string;
  /** Who is in trouble when it fails. */
  readonly trouble: string;
}

/** What the panel stands on, as in its style sheet. */
const surfaces = { light: '#ffffff', dark: '#17191e' };
/** The lightest ground of the dark theme, on which links are read too. */
const linkGrounds = { light: '#ffffff', dark: '#20232a' };

/** Everything that is drawn in the accent or on it, measured. */
export function accentChecks(accent: string, themes: readonly Theme[]): readonly AccentCheck[] {
  const tokens = accentTokens(accent);
  return themes.flatMap((theme): AccentCheck[] => {
    const measured = (
      foreground: string,
      background: string,
      rest: Pick<AccentCheck, 'what' | 'least' | 'criterion' | 'trouble'>,
    ) => ({ theme, foreground, background, ratio: contrast(parse(foreground), parse(background)), ...rest });
    return [
      measured(tokens['--parley-on-accent'] ?? '', accent, {
        what: 'Words on the accent: what visitors wrote, and buttons',
        least: 4.5,
        criterion: '1.4.3 Contrast',
        trouble: 'what visitors wrote is hard to read',
      }),
      measured(tokens[`--parley-accent-on-${theme}`] ?? '', linkGrounds[theme], {
        what: 'Links and marks in the accent',
        least: 4.5,
        criterion: '1.4.3 Contrast',
        trouble: 'links are hard to read',
      }),
      measured(accent, surfaces[theme], {
        what: 'Launcher and send button on their ground',
        least: 3,
        criterion: '1.4.11 Non-text Contrast',
        trouble: 'the button is hard to find',
      }),
    ];
  });
}

export const passes = ({ ratio, least }: Pick<AccentCheck, 'ratio' | 'least'>): boolean => ratio >= least;

const white = parse('#ffffff');
const black = parse('#000000');
const steps = 200;

/** The colour nearest to this one that passes everything, made lighter or darker by as little as it takes. */
export function nearestAccent(accent: string, themes: readonly Theme[]): string | null {
  const colour = parse(accent);
  for (let step = 0; step <= steps; step++)
    for (const end of [black, white]) {
      const candidate = print(mix(colour, end, step / steps));
      if (accentChecks(candidate, themes).every(passes)) return candidate;
    }
  return null;
}

/** 4.5:1, cut and not rounded: 4.49 is no 4.5. */
export const ratioText = (ratio: number): string => `${(Math.floor(ratio * 100) / 100).toFixed(2)}:1`;
