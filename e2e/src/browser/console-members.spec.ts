import { type Browser, expect, type Page, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { check } from './console-check.ts';

const password = 'correct horse battery';

async function open(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(address);
  return page;
}

async function join(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('link', { name: 'Inbox' })).toBeVisible();
}

test('members and sessions are shown as others have left them', async ({ browser }) => {
  test.setTimeout(400_000);
  const service = await startServer();
  const consoleUrl = `${service.url}/console`;
  const invite = async (role: string, tenantId: string | null) => {
    const path = '/invitations';
    const { token } = await service.settings<{ token: string }>('POST', path, { role, tenantId });
    return `${consoleUrl}#/invitation/${token}`;
  };
  try {
    const tenant = await service.settings<{ id: string }>('POST', '/tenants', { name: 'Shop' });
    const ada = await open(browser, service.setupLink ?? '');
    await join(ada, 'Ada');
    const ben = await open(browser, await invite('owner', null));
    await join(ben, 'Ben');
    const problem = ben.getByRole('alert');
    const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
    const agree = (page: Page, name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

    await test.step('a link is not shown any more once its invitation was taken back', async () => {
      await ada.getByRole('link', { name: 'Members' }).click();
      await press(ada, 'Make a link');
      await expect(ada.getByText('Send this link to them.')).toBeVisible();
      // Where that fails, the link holds on and stays: it is shown nowhere else.
      await ada.route(/\/invitations\/[^/]+$/, (route) => route.abort(), { times: 1 });
      await press(ada, 'Take back');
      await agree(ada, 'Take back');
      await expect(ada.getByRole('alert')).toBeVisible();
      await expect(ada.getByText('Send this link to them.')).toBeVisible();
      await press(ada, 'Take back');
      await agree(ada, 'Take back');
      await expect(ada.getByText('Not yet accepted')).toHaveCount(0);
      await expect(ada.getByText('Send this link to them.')).toHaveCount(0);
    });

    await test.step('an invitation that was accepted is not taken back, and who came is seen', async () => {
      const link = await invite('agent', tenant.id);
      await ben.getByRole('link', { name: 'Members' }).click();
      await expect(ben.getByRole('button', { name: 'Take back' })).toHaveCount(1);
      const cleo = await open(browser, link);
      await join(cleo, 'Cleo');
      await cleo.context().close();
      await press(ben, 'Take back');
      await agree(ben, 'Take back');
      await expect(problem).toContainText('Somebody else was faster');
      await expect(ben.getByRole('button', { name: 'Take back' })).toHaveCount(0);
      await expect(ben.getByRole('button', { name: 'Remove Cleo' })).toBeVisible();
    });

    await test.step('a member whom somebody else has removed is gone for both', async () => {
      await ada.reload();
      // Asked for before Ben removes her.
      await expect(ada.getByRole('button', { name: 'Remove Cleo' })).toBeVisible();
      for (const page of [ben, ada]) {
        await press(page, 'Remove Cleo');
        await agree(page, 'Remove member');
        await expect(page.getByRole('button', { name: 'Remove Cleo' })).toHaveCount(0);
        await expect(page.getByRole('alert')).toHaveCount(0);
      }
    });

    await test.step('whoever opens an invitation is told in whose place they sign in', async () => {
      await ben.goto(await invite('viewer', tenant.id));
      await expect(ben.getByText('You are signed in as Ben.')).toBeVisible();
      await check(ben);
      await ben.getByRole('link', { name: 'Stay signed in' }).click();
      await expect(ben.getByRole('heading', { name: 'Agents' })).toBeVisible();
    });

    await test.step('whoever opens a link that is over is told so before they enter anything', async () => {
      const link = await invite('viewer', tenant.id);
      const dora = await open(browser, link);
      await expect(dora.getByText('as Viewer of Shop.')).toBeVisible();
      const eve = await open(browser, link);
      await join(dora, 'Dora');
      await eve.getByLabel('Your name').fill('Eve');
      await eve.getByLabel('Password').fill(password);
      await press(eve, 'Continue');
      const over = eve.getByRole('heading', { name: 'This link is over' });
      await expect(over).toBeVisible();
      await check(eve);
      await eve.reload();
      await expect(over).toBeVisible();
      await expect(eve.getByLabel('Password')).toHaveCount(0);
      await eve.getByRole('link', { name: 'Sign in' }).click();
      await expect(eve.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
      for (const page of [dora, eve]) await page.context().close();
    });

    await test.step('a role that an owner has changed holds in an open page', async () => {
      const cy = await open(browser, await invite('owner', null));
      await join(cy, 'Cy');
      const members = cy.getByRole('link', { name: 'Members' });
      await members.click();
      await expect(cy.getByLabel('Role of Ben')).toBeVisible();
      await ada.reload();
      await ada.getByLabel('Role of Cy').selectOption('viewer');
      await expect(ada.getByText('Cy is Viewer now.')).toBeAttached();
      await cy.getByLabel('Role of Ben').selectOption('viewer');
      await expect(cy.getByRole('alert')).toContainText('Your role does not include this.');
      await expect(members).toHaveCount(0);
      await ada.getByLabel('Role of Cy').selectOption('owner');
      await expect(ada.getByText('Cy is Owner now.')).toBeAttached();
      // As a browser says it of a tab that somebody comes back to.
      await cy.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(members).toBeVisible();
      await cy.context().close();
    });

    await test.step('sessions that end with a password leave the list of them', async () => {
      const other = await open(browser, consoleUrl);
      await other.getByLabel('Name').fill('Ben');
      await other.getByLabel('Password').fill(password);
      await press(other, 'Sign in');
      await expect(other.getByRole('link', { name: 'Inbox' })).toBeVisible();
      const end = ben.getByRole('button', { name: 'End session' });
      await ben.getByRole('link', { name: 'Your account' }).click();
      await expect(end).toHaveCount(1);
      await ben.getByLabel('Password now').fill(password);
      await ben.getByLabel('New password').fill(`${password} staple`);
      await press(ben, 'Change password');
      await expect(end).toHaveCount(0);
      await other.context().close();
    });

    await test.step('a session that has ended meanwhile is ended', async () => {
      const other = await open(browser, consoleUrl);
      await other.getByLabel('Name').fill('Ben');
      await other.getByLabel('Password').fill(`${password} staple`);
      await press(other, 'Sign in');
      await expect(other.getByRole('link', { name: 'Inbox' })).toBeVisible();
      await ben.reload();
      const end = ben.getByRole('button', { name: 'End session' });
      await expect(end).toHaveCount(1);
      await other.getByRole('link', { name: 'Your account' }).click();
      await press(other, 'Sign out');
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await end.click();
      await agree(ben, 'End session');
      await expect(end).toHaveCount(0);
      await expect(problem).toHaveCount(0);
    });
  } finally {
    await service.stop();
  }
});
