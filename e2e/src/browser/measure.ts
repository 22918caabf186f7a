import type { Page } from '@playwright/test';

/** What stands in the panel, as the functions below find it. Runs in the page. */
function shown(selector: string): HTMLElement[] {
  const panel = document.querySelector('[data-parley]')!.shadowRoot!.querySelector('#panel')!;
  return [...panel.querySelectorAll<HTMLElement>(selector)].filter(
    (element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('.hidden'),
  );
}

const evaluate = <Result, Argument>(
  page: Page,
  measure: (find: typeof shown, argument: Argument) => Result,
  argument: Argument,
) =>
  page.evaluate(
    ([find, run, given]) =>
      // oxlint-disable-next-line no-implied-eval -- both are functions of this file, which the page has to be told
      new Function('given', `return (${run})(${find}, given)`)(given) as Result,
    [String(shown), String(measure), argument] as const,
  );

/** What is wider than the panel, or cut off by something that does not scroll. */
export const clipped = (page: Page) =>
  evaluate(
    page,
    (find) => {
      const panel = find('.header')[0]!.parentElement!;
      const { left, right } = panel.getBoundingClientRect();
      return find('*').flatMap((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const box = element.getBoundingClientRect();
        const scrolls = (style: string) => /auto|scroll/.test(style);
        const outside = box.left < left - 1 || box.right > right + 1;
        const within = element.parentElement?.closest('.table, .code pre, .arguments');
        const cut =
          (overflowX !== 'visible' && !scrolls(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (overflowY !== 'visible' && !scrolls(overflowY) && element.scrollHeight > element.clientHeight + 1);
        // A button beside it shows the rest.
        const unfolds = element.matches('.folded:has(~ .unfold:not([hidden]))');
        return (outside && !within) || (cut && !unfolds)
          ? [`${element.tagName}.${element.className} ${element.textContent.slice(0, 40)}`]
          : [];
      });
    },
    null,
  );

/** What can be pressed and is smaller than this; a link in a line of text may be. */
export const smallTargets = (page: Page, least: number) =>
  evaluate(
    page,
    (find, size) =>
      find('button, summary, textarea, select, input, a').flatMap((element) => {
        const target = element.closest<HTMLElement>('label') ?? element;
        const { width, height } = target.getBoundingClientRect();
        const inLine = getComputedStyle(element).display === 'inline' || element.matches(':disabled');
        return inLine || (width >= size - 0.5 && height >= size - 0.5)
          ? []
          : [
              `${element.tagName}.${element.className} ${element.ariaLabel ?? element.textContent} ${width}×${height}`,
            ];
      }),
    least,
  );

/** Fields into which iOS would zoom. */
export const zoomingFields = (page: Page) =>
  evaluate(
    page,
    (find) =>
      find('textarea, select, input:not([type=radio], [type=checkbox])')
        .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => `${field.tagName}.${field.className}`),
    null,
  );

/** Gaps and margins that are no multiple of 4 px. Icons and boxes to tick stand where they look right; a greeting at the end. */
export const offGrid = (page: Page) =>
  evaluate(
    page,
    (find) =>
      find('*:not(input, svg, .empty)').flatMap((element) => {
        const styles = getComputedStyle(element);
        const found = (['rowGap', 'columnGap', 'marginTop', 'marginBottom'] as const).filter(
          (property) => (Number.parseFloat(styles[property]) || 0) % 4 !== 0,
        );
        return styles.marginInlineStart === 'auto'
          ? []
          : found.map((property) => `${element.className} ${property}`);
      }),
    null,
  );

/** Text, of fields and in their place too, that is less than 4.5:1 on what is behind it, and edges of controls that are less than 3:1. */
export const faint = (page: Page) =>
  evaluate(
    page,
    (find) => {
      const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
      type Colour = [number, number, number, number];
      const parse = (colour: string): Colour => {
        context.clearRect(0, 0, 1, 1);
        context.fillStyle = colour;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
        return [red!, green!, blue!, alpha! / 255];
      };
      const over = (top: Colour, below: Colour): Colour => {
        const mix = (channel: 0 | 1 | 2) => top[channel] * top[3] + below[channel] * (1 - top[3]);
        return [mix(0), mix(1), mix(2), 1];
      };
      const behind = (element: Element | null): Colour => {
        if (!element) return [255, 255, 255, 1];
        const colour = parse(getComputedStyle(element).backgroundColor);
        return colour[3] === 1 ? colour : over(colour, behind(element.parentElement));
      };
      const luminance = ([...colour]: Colour) => {
        const [red, green, blue] = colour.map((value) => {
          const part = value / 255;
          return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
      };
      const opacity = (element: Element | null): number =>
        element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
      const contrast = (colour: string, below: Colour, element: Element) => {
        const [red, green, blue, alpha] = parse(colour);
        const top: Colour = [red, green, blue, alpha * opacity(element)];
        const [darker, lighter] = [luminance(over(top, below)), luminance(below)].toSorted(
          (one, other) => one - other,
        );
        return (lighter! + 0.05) / (darker! + 0.05);
      };
      const name = (element: Element) =>
        `${element.tagName}.${element.className} ${element.textContent.slice(0, 30)}`;
      const texts = find('*').filter(
        (element) =>
          !element.closest(':disabled') &&
          (element.matches('textarea, select, input:not([type=radio], [type=checkbox])') ||
            [...element.childNodes].some(
              (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim(),
            )),
      );
      const controls = find('.composer-box, .prompt, .button, .field, .pill').filter(
        (element) => !element.closest(':disabled'),
      );
      const surface = behind(find('.header')[0]!);
      return [
        ...texts.flatMap((element) => {
          // The time of a message stands beside its bubble.
          const below = element.matches('.time') ? surface : behind(element);
          const written = element.matches(':placeholder-shown') ? '::placeholder' : null;
          const found = contrast(getComputedStyle(element, written).color, below, element);
          return found < 4.5 ? [`${name(element)} ${found}`] : [];
        }),
        ...controls.flatMap((element) => {
          const { borderTopColor, backgroundColor } = getComputedStyle(element);
          const outside = behind(element.parentElement);
          const found = Math.max(
            contrast(borderTopColor, outside, element),
            contrast(backgroundColor, outside, element),
          );
          return found < 3 ? [`${name(element)} ${found}`] : [];
        }),
      ];
    },
    null,
  );
