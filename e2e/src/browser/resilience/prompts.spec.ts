import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { answered, approval, asked, ended, event, said, signIn, step, turn } from '../recorded-turns.ts';
import { startMockService, type Recorded, type Recording, type MockService } from '../mock-service.ts';
import { enter } from '../states.ts';
import { blockStorage, cutNetwork, hide, goOnline, show } from './resilience.ts';

interface Play {
  play: (recording: Recording) => Promise<MockService>;
  /** The service goes, and is back with more in its log. */
  restart: (more: readonly Recorded[]) => Promise<void>;
}

const test = base.extend<Play & { staged: { recording: Recording; mock?: MockService } }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
  staged: async ({}, use) => {
    const staged = { recording: {} };
    await use(staged);
    await (staged as { mock?: MockService }).mock?.close();
  },
  play: async ({ staged }, use) =>
    use(async (recording) => {
      Object.assign(staged, { recording, mock: await startMockService(recording) });
      return staged.mock!;
    }),
  restart: async ({ staged }, use) =>
    use(async (more) => {
      const { recording, mock } = staged;
      await mock!.close();
      const events = [...(recording.events ?? []), ...more];
      Object.assign(staged, {
        mock: await startMockService({ ...recording, events }, Number(new URL(mock!.url).port)),
      });
    }),
});

/** A second tab in the background that shows this too. */
async function openHidden(context: BrowserContext, url: string, shows: string | RegExp): Promise<Page> {
  const other = await context.newPage();
  await enter(other, url, { shows });
  await hide(other);
  return other;
}

const card = (page: Page, name: string) => page.getByRole('group', { name });
const signedIn = event('authorization.completed', { ...step(1), name: 'Calendar', outcome: 'authorized' });

test('a sign-in that is waited for outlives the network and the service, and ends in every tab', async ({
  page,
  context,
  play,
  restart,
}) => {
  const { url } = await play({ events: signIn });
  const shows = 'Sign in to Calendar to go on';
  await enter(page, url, { shows });
  const other = await openHidden(context, url, shows);
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  const link = card(page, shows).getByRole('link', { name: 'Sign in' });
  await expect(link).toHaveAttribute('href', 'https://accounts.example/device');
  await expect(card(page, shows)).toContainText('Code: WDJB-MJHT');
  await goOnline(page);
  await restart([signedIn, ...said(1, 'You are free on Tuesday.'), ...ended(1)]);
  await show(other);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('log')).toContainText('You are free on Tuesday.');
    await expect(tab.getByRole('log').getByText('Signed in to Calendar')).toHaveCount(1);
    await expect(card(tab, shows)).toHaveCount(0);
  }
});

test('where storage is blocked a sign-in is waited for all the same, also while the service is away', async ({
  page,
  play,
  restart,
}) => {
  await blockStorage(page);
  const { url } = await play({ events: signIn });
  await page.goto(url);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  await chatIn(page).say('What is in my calendar?');
  await expect(card(page, 'Sign in to Calendar to go on')).toBeVisible();
  await restart([signedIn, ...said(1, 'You are free on Tuesday.'), ...ended(1)]);
  await expect(page.getByRole('log')).toContainText('You are free on Tuesday.');
  await expect(page.getByRole('log').getByText('Signed in to Calendar')).toHaveCount(1);
});

const elsewhere: Record<string, { more: Recorded[]; says: string }> = {
  'runs out': {
    more: [event('input.expired', { ...turn(1), requestId: 'ask_1' })],
    says: 'No longer needed: Refund order',
  },
  'the team gives': {
    more: [answered({ optionId: 'approve', by: 'team' })],
    says: 'answered by the team',
  },
};
for (const [how, { more, says }] of Object.entries(elsewhere))
  test(`an approval that ${how} while the service is out of reach is asked for no more, in any tab`, async ({
    page,
    context,
    play,
    restart,
  }) => {
    const { url } = await play({ events: [...approval, ...ended(1)] });
    const shows = 'Your approval is needed';
    await enter(page, url, { shows });
    const other = await openHidden(context, url, shows);
    await page.keyboard.press('Escape');
    const launcher = page.getByRole('button', { name: 'Chat with Fern' });
    await expect(launcher).toHaveAttribute('data-badge', '1');
    await cutNetwork(page);
    await restart(more);
    await goOnline(page);
    await expect(launcher).not.toHaveAttribute('data-badge');
    await launcher.click();
    await show(other);
    for (const tab of [page, other]) {
      await expect(tab.getByRole('log')).toContainText(says);
      await expect(card(tab, 'Refund order')).toHaveCount(0);
    }
  });

test('long work is said to be so in every tab while the service is away, and so is its end', async ({
  page,
  context,
  play,
  restart,
}) => {
  const { url } = await play({ events: asked(1, 'Compare all bikes') });
  const shows = 'You can close this; we’ll keep going.';
  await enter(page, url, { shows });
  const other = await openHidden(context, url, shows);
  await cutNetwork(page);
  await expect(page.getByText('You are offline.')).toBeVisible();
  for (const tab of [page, other]) await expect(tab.getByText(shows)).toBeVisible();
  await restart([...said(1, 'The Heron it is.'), ...ended(1)]);
  await goOnline(page);
  await show(other);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('log').getByText('The Heron it is.')).toHaveCount(1);
    await expect(tab.getByText(shows)).toHaveCount(0);
  }
});
