import {
  type AccentCheck,
  accentChecks,
  nearestAccent,
  passes,
  ratioText,
  type Theme,
} from './accent-checks.ts';

interface ContrastListProps {
  readonly accent: string;
  /** As it is set: `auto` is both. */
  readonly theme: string;
  readonly onPropose: (accent: string) => void;
}

const themeNames = { light: 'Light', dark: 'Dark' };

/** What is read and found in the accent, measured, and what to take instead where it is not. */
export function ContrastList({ accent, theme, onPropose }: ContrastListProps) {
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return null;
  const themes: readonly Theme[] = theme === 'light' || theme === 'dark' ? [theme] : ['light', 'dark'];
  const checks = accentChecks(accent.toLowerCase(), themes);
  const failed = checks.filter((check) => !passes(check));
  const proposed = failed.length > 0 ? nearestAccent(accent.toLowerCase(), themes) : null;
  return (
    <section class="contrast" aria-label="Contrast">
      <div role="status">
        {failed.length === 0 ? (
          <p class="notice">Everybody can read it: all of this passes WCAG 2.2 at level AA.</p>
        ) : (
          <p class="notice problem">
            {failed.length === 1 ? 'One thing fails' : `${failed.length} things fail`} WCAG 2.2 at level AA:{' '}
            {[...new Set(failed.map(({ trouble }) => trouble))].join(', ')}.
          </p>
        )}
      </div>
      {proposed !== null && (
        <button type="button" class="button" onClick={() => onPropose(proposed)}>
          <Swatch colour={proposed} /> Take {proposed}, the nearest that passes
        </button>
      )}
      {themes.map((each) => (
        <div key={each}>
          <h3>{themeNames[each]}</h3>
          <ul class="rows">
            {checks
              .filter((check) => check.theme === each)
              .map((check) => (
                <CheckRow key={check.what} check={check} />
              ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

const CheckRow = ({ check }: { readonly check: AccentCheck }) => (
  <li>
    <span
      class="contrast-sample"
      style={{ color: check.foreground, background: check.background }}
      aria-hidden="true"
    />
    <span class="contrast-what">
      {check.what}
      <span class="meta">
        {check.foreground} on {check.background}
      </span>
    </span>
    <span class={passes(check) ? 'badge live' : 'badge fails'}>
      {ratioText(check.ratio)} {passes(check) ? 'passes' : `fails ${check.criterion}, ${check.least}:1`}
    </span>
  </li>
);

const Swatch = ({ colour }: { readonly colour: string }) => (
  <span class="contrast-swatch" style={{ background: colour }} aria-hidden="true" />
);
