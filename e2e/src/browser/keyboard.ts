import { expect, type Locator, type Page } from '@playwright/test';
import { focusStop } from './focus-stop.ts';

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
      const { problem } = await this.#page.evaluate(focusStop, []);
      expect(problem, `the focus after ${key}`).toBeNull();
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
