import { expect } from '@playwright/test';
import { canBeHit, findInPage, type Target } from './find-in-page.ts';
import type { Key, Tab } from './tab.ts';

/** The expression that calls a function of ours in the page, with these expressions. */
const callOf = (act: (...args: never[]) => unknown, ...expressions: string[]) =>
  `(${String(act)})(${expressions.join()})`;
const find = (target: Target) => callOf(findInPage, JSON.stringify(target));
const describe = ({ role, name = '' }: Target) => `${role} ${name}`;

/** Somebody at a browser, who knows a page by roles, names and words. */
export class Visitor {
  readonly tab: Tab;

  constructor(tab: Tab) {
    this.tab = tab;
  }

  /** Runs in the page or frame; what it is given and what it gives can be JSON. */
  async inPage<Args extends unknown[], Result>(
    act: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    const expressions = args.map((each) => JSON.stringify(each));
    return (await this.tab.evaluate(callOf(act, ...expressions))) as Awaited<Result>;
  }

  /** Runs in the page with an element, once that is there. */
  async with<Result>(target: Target, act: (element: HTMLElement) => Result): Promise<Awaited<Result>> {
    await this.sees(target);
    return (await this.tab.evaluate(callOf(act, find(target)))) as Awaited<Result>;
  }

  sees = (target: Target) => this.#becomes(describe(target), `!!${find(target)}`);
  doesNotSee = (target: Target) => this.#becomes(`no ${describe(target)}`, `!${find(target)}`);

  async reads(text: string, where: Target = { role: 'log' }): Promise<void> {
    await expect
      .poll(() => this.tab.evaluate(`${find(where)}?.innerText ?? ''`), { message: `in ${describe(where)}` })
      .toContain(text);
  }

  async clicks(target: Target): Promise<void> {
    await this.#becomes(`${describe(target)} to click`, callOf(canBeHit, find(target)));
    await this.tab.click(find(target));
  }

  async writes(text: string, target: Target = messageField): Promise<void> {
    await this.clicks(target);
    await this.tab.type(text);
  }

  async says(text: string): Promise<void> {
    await this.writes(text);
    await this.tab.press('Enter');
  }

  async presses(...keys: Key[]): Promise<void> {
    for (const key of keys) await this.tab.press(key);
  }

  /** Through all shadow roots. */
  hasFocus = (target: Target) =>
    this.#becomes(
      `focus on ${describe(target)}`,
      callOf(
        (element?: HTMLElement) =>
          !!element && (element.getRootNode() as ShadowRoot).activeElement === element,
        find(target),
      ),
    );

  async #becomes(message: string, expression: string): Promise<void> {
    await expect.poll(() => this.tab.evaluate(expression), { message }).toBe(true);
  }
}

export const messageField: Target = { role: 'textbox', name: 'Message' };
export const launcher: Target = { role: 'button', name: 'Chat with Fern' };
