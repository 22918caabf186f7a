import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { complaints } from './console-check.ts';
import { openDesk, password } from './console-desk.ts';
import { enterAll, type Entries, entriesOf } from './console-entries.ts';
import { type ConsoleScreen, enterScreen, screens } from './console-screens.ts';

/** Screens whose form is that of another one of the list, or goes with what the screen is of. */
const ofAnother = [
  'join, with what is missing',
  'sign in',
  'tool of an API',
  'operations of an API',
  'new key',
  'erasure',
  'erasure receipt',
  'authenticator app',
  'session that has ended',
];

/** Controls that are left alone, by how their names begin: what does something at once, and what holds a secret. */
const leftAlone = ['Put in a saved reply', 'Stage of', 'Role of'];
/** They are the same beside every conversation. */
const inboxList = ['Search in this view', 'Agent', 'Looked after by'];
const leftAloneOn: Readonly<Record<string, readonly string[]>> = {
  visitors: ['Answer signed-in visitors only'],
  // It is the form that "API" has, too.
  website: ['Address of your website'],
  tool: ['Value'],
  'import of a curl line': ['The line'],
  'import of an API': ['Agent'],
  API: ['Widget of'],
  // Which models have a field for their price depends on it, once an answer is there.
  usage: ['Agent'],
  webhook: ['Which deliveries', 'Given up since'],
  'inbox, mine': inboxList,
  'conversation that a member has': inboxList,
  'hand back': [...inboxList, 'Reply to the visitor'],
  approval: inboxList,
  'approval that is changed': [...inboxList, 'Note for the team'],
  'approval that is handed on': [...inboxList, 'Note for the team'],
  'question for the team': inboxList,
  keyboard: inboxList,
};

/** Forms that keep nothing here, by the name that their source gives them, and why. */
const keepNothing: Readonly<Record<string, string>> = {
  'curl line': 'may hold a key',
  password: 'has passwords only',
  'second factor': 'has a code only',
  'sign in': 'is looked at once the session has ended',
  'passkey ${id}': 'takes a device that holds a passkey',
  'widget of ${tenant.value?.id}': 'chooses of which agent another form is',
};

/** A form that is filled in need not say what is missing from it. */
function withoutSubmit(screen: ConsoleScreen): ConsoleScreen {
  const { submit: _, ...rest } = screen;
  return rest;
}

test('every form of the console keeps its entries over a reload and a session that ends', async ({
  page,
}) => {
  test.setTimeout(600_000);
  const found = complaints(page);
  const desk = await openDesk();
  const entered = new Map<string, { readonly address: string; readonly entries: Entries }>();
  /** One run says of every form what is lost. */
  const wrong: string[] = [];
  const look = (name: string, step: () => Promise<void>) =>
    test.step(name, () => step().catch((error: unknown) => void wrong.push(`${name}: ${String(error)}`)));
  const except = (name: string) => [...leftAlone, ...(leftAloneOn[name] ?? [])];
  try {
    for (const [name, screen] of Object.entries(screens)) {
      if (ofAnother.includes(name)) continue;
      await look(name, async () => {
        await enterScreen(page, desk, withoutSubmit(screen));
        const entries = await enterAll(page, except(name));
        // What is chosen may lead elsewhere, which is kept as well.
        const address = new URL(page.url()).hash.slice('#/'.length);
        if (entries.length > 0) entered.set(name, { address, entries });
        await screen.leave?.(page);
      });
    }
    await test.step('every form was filled in', async () => {
      const kept = await page.evaluate(() => Object.keys(sessionStorage));
      const isKept = (name: string) => kept.some((key) => patternOf(name).test(key));
      const missing = (await formNames()).filter((name) => !isKept(name));
      expect(missing.toSorted()).toEqual(Object.keys(keepNothing).toSorted());
    });
    await test.step('the session ends, and whoever signs in again goes on', async () => {
      await page.context().clearCookies();
      await page.reload();
      await page.getByLabel('Name').fill('Ada');
      await page.reload();
      await expect(page.getByLabel('Name')).toHaveValue('Ada');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
    });
    for (const [name, { address, entries }] of entered)
      await look(`${name}, again`, async () => {
        const screen = screens[name]!;
        await enterScreen(page, desk, { ...withoutSubmit(screen), at: () => address });
        // Some controls are there once what they choose from was read.
        await expect.poll(async () => lost(entries, await entriesOf(page, except(name)))).toEqual([]);
        await screen.leave?.(page);
      });
    expect(wrong).toEqual([]);
    expect(found).toEqual([]);
  } finally {
    await desk.close();
  }
});

function lost(entered: Entries, found: Entries): Entries {
  const left = found.map((entry) => JSON.stringify(entry));
  return entered.filter((entry) => {
    const place = left.indexOf(JSON.stringify(entry));
    if (place !== -1) left.splice(place, 1);
    return place === -1;
  });
}

/** What the console's forms are called in its source: a text, or a template with the id of what they are of. */
async function formNames(): Promise<string[]> {
  const root = join(import.meta.dirname, '../../../apps/console/src');
  const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith('.tsx'));
  const sources = await Promise.all(files.map((name) => readFile(join(root, name), 'utf8')));
  return sources.flatMap((source) =>
    [...source.matchAll(/\buseForm(?:<[^(]*>)?\(\{\s*name: (['`])(.+?)\1/g)].map(([, , name]) => name ?? ''),
  );
}

const patternOf = (name: string) => {
  const parts = name.split(/\$\{.+?\}/).map((part) => part.replaceAll(/[^\w ]/g, String.raw`\$&`));
  return new RegExp(`^form ${parts.join('.+')}$`);
};
