import { expect, type Page } from '@playwright/test';
import { heard, openFernhill, sessionOf } from './chat.ts';
import { type RunningDemo, test } from './running-demo.ts';

const thumbs = (page: Page, turn = 0) => {
  const section = page.getByRole('log').locator('section').nth(turn);
  return {
    section,
    good: section.getByRole('button', { name: 'Good answer' }),
    bad: section.getByRole('button', { name: 'Bad answer' }),
  };
};
/** What the team sees of this page's conversation. */
async function kept(page: Page, demo: RunningDemo) {
  const { sessionId } = await sessionOf(page);
  return (await demo.feedback()).filter((each) => each.sessionId === sessionId);
}
/** What this browser remembers of it: once the service has told that it is stored. */
const remembered = (page: Page) =>
  page.evaluate(
    () => Object.entries<string>(localStorage).find(([name]) => name.endsWith(':ratings'))?.[1] ?? '',
  );
const feedbackRoute = '**/feedback';

test('a rating reaches the team, outlives a reload, is there in another tab, and can be taken back', async ({
  page,
  demo,
  context,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  const { good, bad } = thumbs(page);
  await good.click();
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  await expect
    .poll(() => kept(page, demo))
    .toMatchObject([{ turnId: 'turn_0', rating: 'up', comment: null }]);
  await expect.poll(() => remembered(page)).toContain('"up"');

  await page.reload();
  await expect(good).toHaveAttribute('aria-pressed', 'true');
  const other = await context.newPage();
  await openFernhill(other, demo);
  await expect(thumbs(other).good).toHaveAttribute('aria-pressed', 'true');
  await other.close();

  await bad.click();
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => kept(page, demo)).toMatchObject([{ rating: 'down' }]);
  await bad.click();
  await expect(bad).toHaveAttribute('aria-pressed', 'false');
  await expect.poll(() => kept(page, demo)).toEqual([]);
  await expect.poll(() => remembered(page)).toBe('');
  await page.reload();
  await expect(bad).toHaveAttribute('aria-pressed', 'false');
});

test('what was wrong can be told, by keyboard', async ({ page, demo, script }) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  await thumbs(page).bad.press('Enter');
  const comment = page.getByRole('textbox', { name: 'What went wrong?' });
  await expect(comment).toBeVisible();
  await expect(thumbs(page).bad).toBeFocused();
  await comment.fill('That is not what I asked.');
  await comment.press('Enter');
  await expect(chat.log).toContainText('Thank you for telling us.');
  await expect(comment).toHaveCount(0);
  await expect
    .poll(() => kept(page, demo))
    .toMatchObject([{ rating: 'down', comment: 'That is not what I asked.' }]);
});

test('a rating that could not be stored is not shown as if it were, and words that could not are kept', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('Hello');
  const { good, bad } = thumbs(page);
  await expect(good).toBeVisible();
  await page.route(feedbackRoute, (route) => route.abort());
  await good.click();
  await expect(chat.log).toContainText('Your rating was not saved.');
  await expect(good).toHaveAttribute('aria-pressed', 'false');
  await page.unroute(feedbackRoute);

  await bad.click();
  await expect(chat.log).not.toContainText('Your rating was not saved.');
  const comment = page.getByRole('textbox', { name: 'What went wrong?' });
  await comment.fill('Too short');
  await expect.poll(() => remembered(page)).toContain('"down"');
  await page.route(feedbackRoute, (route) => route.abort());
  await comment.press('Enter');
  await expect(chat.log).toContainText('Your rating was not saved.');
  await expect(comment).toHaveValue('Too short');
  await expect(bad).toHaveAttribute('aria-pressed', 'true');
  await page.unroute(feedbackRoute);
  await comment.press('Enter');
  await expect(chat.log).toContainText('Thank you for telling us.');
});

test('the last answer can always be rated, earlier ones where the pointer or the focus is', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  for (const text of ['One', 'Two']) {
    await chat.say(text);
    await expect(chat.log).toContainText(`Heard: ${text}`);
  }
  const actions = (turn: number) => thumbs(page, turn).good.locator('xpath=ancestor::div[@class="actions"]');
  await chat.field.hover();
  await expect(actions(0)).toHaveCSS('opacity', '0');
  await expect(actions(1)).toHaveCSS('opacity', '1');
  await thumbs(page, 0).section.hover();
  await expect(actions(0)).toHaveCSS('opacity', '1');
  await chat.field.hover();
  await thumbs(page, 0).bad.focus();
  await expect(actions(0)).toHaveCSS('opacity', '1');
  await thumbs(page, 0).bad.press('Space');
  await expect.poll(() => kept(page, demo)).toMatchObject([{ turnId: 'turn_0', rating: 'down' }]);
});
