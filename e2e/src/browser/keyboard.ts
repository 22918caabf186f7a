import { expect, type Locator, type Page } from '@playwright/test';

/** A screen has fewer stops than this. */
const maxStops = 80;

/** A page as somebody has it who points at nothing. */
export class Keyboard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Goes on by Tab, or back, until the target has the focus: each stop on the way has to be seen. */
  async reach(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(target).toBeVisible();
    for (let stops = 0; stops < maxStops; stops++) {
      if (await target.evaluate((element) => element.matches(':focus'))) return;
      await this.#page.keyboard.press(key);
      expect(await this.#page.evaluate(hiddenFocus), `the focus after ${key}`).toBeNull();
    }
    throw new Error(`${maxStops} stops do not lead to ${String(target)}.`);
  }

  /** Presses it, and what it does leaves the focus somewhere. */
  async press(key: string): Promise<void> {
    await this.#page.keyboard.press(key);
    await this.expectFocus();
  }

  type = (text: string) => this.#page.keyboard.type(text);

  /** The focus is where somebody can go on from. */
  async expectFocus(): Promise<void> {
    await expect
      .poll(() => this.#page.evaluate(() => document.activeElement?.localName), 'what has the focus')
      .not.toBe('body');
  }
}

/** What is wrong with how the focus is shown; null: nothing. Runs in the page. */
function hiddenFocus(): string | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return 'nothing has it';
  const name = element.outerHTML.slice(0, 120);
  const isDrawn = (style: CSSStyleDeclaration) =>
    (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  // Some show it on what is around them.
  const around = [element, element.parentElement, element.parentElement?.parentElement];
  if (!around.some((each) => each && isDrawn(getComputedStyle(each)))) return `not shown on ${name}`;
  const box = element.getBoundingClientRect();
  const isInView =
    box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight && box.width > 0;
  return isInView ? null : `out of view: ${name}`;
}
