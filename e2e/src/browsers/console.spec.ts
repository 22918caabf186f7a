import { expect } from '@playwright/test';
import { type Desk, openDesk, password, tenantName } from '../browser/console-desk.ts';
import { barelyScrolled } from '../browser/barely-scrolled.ts';
import { screens } from '../browser/console-screens.ts';
import { test as base } from './journey.ts';

const test = base.extend<{ openConsole: () => Promise<void> }, { desk: Desk }>({
  desk: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's needs from its first parameter
    async ({}, use) => {
      const desk = await openDesk();
      await use(desk);
      await desk.close();
    },
    { scope: 'worker' },
  ],
  openConsole: async ({ desk, visitor }, use) => {
    await use(async () => {
      await visitor.tab.goto(`${desk.url}/console`);
      await visitor.writes('Ada', { role: 'field', name: 'Name' });
      await visitor.writes(password, { role: 'field', name: 'Password' });
      await visitor.presses('Enter');
      await visitor.sees({ role: 'combobox' });
      await visitor.inPage(collectFaults);
      await visitor.inPage(choose, tenantName);
    });
    expect(await visitor.tab.evaluate('globalThis.faults')).toEqual([]);
  },
});

function collectFaults(): void {
  const faults: string[] = [];
  Object.assign(globalThis, { faults });
  addEventListener('error', ({ message }) => faults.push(message));
  addEventListener('unhandledrejection', ({ reason }) => faults.push(String(reason)));
  addEventListener('securitypolicyviolation', ({ violatedDirective }) => faults.push(violatedDirective));
}

function choose(name: string): void {
  const select = document.querySelector<HTMLSelectElement>('.tenant select')!;
  select.value = [...select.options].find(({ text }) => text === name)!.value;
  for (const type of ['input', 'change']) select.dispatchEvent(new Event(type, { bubbles: true }));
}

const goTo = (address: string) => void (location.hash = address);

/** The heading of what is shown, once all of it is there. */
const shown = () =>
  [...document.querySelectorAll('.skeleton')].some((each) => each.checkVisibility())
    ? null
    : (document.querySelector('h1')?.innerText ?? null);

test('a member signs in, and every screen of the console is shown', async ({
  desk,
  visitor,
  openConsole,
}) => {
  await openConsole();
  const nowhere = 'This cannot be shown';
  const addresses = Object.values(screens).flatMap(({ route, at, isOutside, isEmpty }) =>
    route === null || isOutside || isEmpty ? [] : [at?.(desk.ids) ?? route],
  );
  for (const address of new Set(addresses)) {
    await visitor.inPage(goTo, '#/nowhere');
    await expect.poll(() => visitor.inPage(shown), address).toBe(nowhere);
    await visitor.inPage(goTo, `#/${address}`);
    const heading = expect.poll(() => visitor.inPage(shown), address);
    await (address.endsWith('of_nobody') ? heading.toBe(nowhere) : heading.not.toMatch(`^$|${nowhere}`));
    expect(await visitor.inPage(barelyScrolled), address).toEqual([]);
    expect(
      await visitor.inPage(() => document.documentElement.scrollWidth - innerWidth),
      address,
    ).toBeLessThanOrEqual(0);
  }
});

test('a member answers a visitor', async ({ desk, visitor, openConsole }) => {
  await openConsole();
  await visitor.inPage(goTo, `#/inbox/all/${desk.ids.held}`);
  await visitor.writes('You can have it on Friday.', { role: 'textbox', name: 'Reply to the visitor' });
  await visitor.presses('Enter');
  await expect
    .poll(() => visitor.inPage(() => document.querySelector('.inbox-log')!.textContent))
    .toContain('You can have it on Friday.');
});

test('a member changes an agent, and publishes it', async ({ desk, visitor, openConsole }) => {
  await openConsole();
  await visitor.inPage(goTo, `#/agents/${desk.ids.agent}`);
  await visitor.writes(', of Fernhill', { role: 'field', name: 'Name' });
  await visitor.clicks({ role: 'button', name: 'Save draft' });
  await visitor.clicks({ role: 'button', name: 'Publish…' });
  await visitor.clicks({ role: 'button', name: 'Publish' });
  await visitor.doesNotSee({ role: 'button', name: 'Publish…' });
});
