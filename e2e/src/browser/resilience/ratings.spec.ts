import { expect, type Page } from '@playwright/test';
import { heard, openFernhill, sessionOf } from '../chat.ts';
import { type RunningDemo } from '../running-demo.ts';
import { cutNetwork, hide, goOnline, openSecond, show, test, duringOutage } from './resilience.ts';

const good = (page: Page) => page.getByRole('log').getByRole('button', { name: 'Good answer' });
const bad = (page: Page) => page.getByRole('log').getByRole('button', { name: 'Bad answer' });
const notSaved = 'Your rating was not saved.';

/** What the team sees of a conversation. */
const ratingsOf = async (demo: RunningDemo, session: string) =>
  (await demo.feedback()).filter(({ sessionId }) => sessionId === session);

test('a rating given in a tab in the background, changed in another, and told while the service or the network is away is one', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await expect(good(page)).toBeVisible();
  const other = await openSecond(page, demo);
  await expect(good(other.page)).toBeVisible();
  const { sessionId } = await sessionOf(page);
  await hide(other.page);
  await good(other.page).click();
  await expect.poll(() => ratingsOf(demo, sessionId)).toMatchObject([{ rating: 'up' }]);

  await page.bringToFront();
  const comment = page.getByRole('textbox', { name: 'What went wrong?' });
  await duringOutage(page, demo, async () => {
    await page.route('**/feedback', async (route) => {
      await comment.fill('Too short');
      await route.abort();
    });
    await bad(page).click();
    await expect(chat.log).toContainText(notSaved);
    await expect(bad(page)).toHaveAttribute('aria-pressed', 'false');
    await expect(comment).toHaveValue('Too short');
    await page.unroute('**/feedback');
  });
  await cutNetwork(page);
  await comment.press('Enter');
  await expect(chat.log).toContainText(notSaved);
  await expect(comment).toHaveValue('Too short');
  await goOnline(page);
  await comment.press('Enter');
  await expect(chat.log).toContainText('Thank you for telling us.');
  expect(await ratingsOf(demo, sessionId)).toMatchObject([{ rating: 'down', comment: 'Too short' }]);
  await show(other.page);
  await other.page.reload();
  await expect(bad(other.page)).toHaveAttribute('aria-pressed', 'true');
  await expect(good(other.page)).toHaveAttribute('aria-pressed', 'false');
});
