import { expect, type Page, type Route, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { heard } from './chat.ts';
import { complaints } from './console-check.ts';

/** Holds the answer to the next request to such an address: as it is now, and told once it is released. */
async function hold(page: Page, address: RegExp, method = 'GET') {
  let isHeld = false;
  let told = () => {};
  const answered = new Promise<void>((resolve) => (told = resolve));
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const handle = async (route: Route) => {
    if (isHeld || route.request().method() !== method) return route.fallback();
    isHeld = true;
    const response = await route.fetch();
    told();
    await released;
    await route.fulfill({ response });
  };
  await page.route(address, handle);
  return {
    answered,
    release: async () => {
      const responded = page.waitForResponse((response) => address.test(response.url()));
      release();
      await (await responded).finished();
      // Drawn, by whoever takes it.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
    },
  };
}

test('an answer that comes late takes no place of a later one, and nothing that is being written', async ({
  page,
}) => {
  const service = await startServer();
  const found = complaints(page);
  try {
    const created = (path: string, body: object) =>
      service.settings<Record<string, string>>('POST', path, body);
    const { id: tenantId } = await created('/tenants', { name: 'Harbour' });
    const model = { provider: 'scripted', script: heard };
    const write = async (name: string, messages: readonly string[]) => {
      const { id: agentId } = await created('/agents', { tenantId, name, model });
      const { key } = await created('/keys', { tenantId, agentId, kind: 'secret' });
      for (const message of messages)
        await fetch(`${service.url}/parley/v1/session`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ message }),
        });
    };
    await write('Ada', ['Where is the quay?']);
    await write('Ben', ['Do you rent boats?', 'And bicycles?']);
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();

    await test.step('the usage of the agent that was chosen last is shown', async () => {
      await page.getByRole('link', { name: 'Usage' }).click();
      const turns = page.getByRole('figure', { name: 'Turns' });
      await turns.getByText('As a table').click();
      const lastDay = turns.getByRole('row').last();
      await expect(lastDay).toHaveText(/-\d\d\s*3\s*0\s*0$/);
      const late = await hold(page, /\/usage\?.*agentId/);
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Ada' });
      await late.answered;
      await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Ben' });
      await expect(lastDay).toHaveText(/-\d\d\s*2\s*0\s*0$/);
      await late.release();
      await expect(lastDay).toHaveText(/-\d\d\s*2\s*0\s*0$/);
    });

    await test.step('no figures of another agent are shown where those that are asked for cannot be read', async () => {
      const chosen = page.getByLabel('Agent', { exact: true });
      await page.route(/\/usage\?.*agentId/, (route) => route.abort());
      await chosen.selectOption({ label: 'Ada' });
      await expect(page.getByRole('alert')).toHaveText(/cannot be reached/);
      await expect(page.getByRole('figure')).toHaveCount(0);
      await page.unroute(/\/usage\?.*agentId/);
      await chosen.selectOption({ label: 'Ben' });
      await expect(page.getByRole('figure', { name: 'Turns' })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });

    await test.step('what is entered into a form while it is saved stays to be saved', async () => {
      const read = page.getByLabel('For a million tokens read');
      await page.getByLabel('Currency').fill('eur');
      await read.fill('1');
      await page.getByLabel('For a million tokens written').fill('2');
      const saving = await hold(page, /\/tenants\//, 'PATCH');
      await page.getByRole('button', { name: 'Save prices' }).click();
      await saving.answered;
      await read.fill('3');
      await saving.release();
      await expect(page.getByRole('status').filter({ hasText: 'The prices are saved.' })).toBeAttached();
      await expect(read).toHaveValue('3');
      await page.getByRole('button', { name: 'Save prices' }).click();
      const cost = page.getByRole('figure', { name: 'Cost' });
      await expect(cost).toBeVisible();
    });

    await test.step('a thread is shown as it was last asked for', async () => {
      await page.getByRole('link', { name: 'Inbox' }).click();
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await page.locator('.inbox-row', { hasText: 'Where is the quay?' }).click();
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      await expect(thread).toContainText('Heard: Where is the quay?');
      const note = thread.getByRole('textbox', { name: 'Note for the team' });
      const late = await hold(page, /\/thread$/);
      await note.fill('They wait at the quay.');
      await note.press('Enter');
      await late.answered;
      await note.fill('They are on board.');
      await note.press('Enter');
      await expect(thread).toContainText('They are on board.');
      await late.release();
      await expect(thread).toContainText('They are on board.');
      const slow = await hold(page, /\/thread$/);
      await note.fill('The first bag.');
      await note.press('Enter');
      await slow.answered;
      const slower = await hold(page, /\/thread$/);
      await note.fill('The second bag.');
      await note.press('Enter');
      await slower.answered;
      await slow.release();
      await expect(thread).toContainText('The first bag.');
      await slower.release();
      await expect(thread).toContainText('The second bag.');
    });

    await test.step('what is written while a note is sent stays, and so does the focus', async () => {
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const note = thread.getByRole('textbox', { name: 'Note for the team' });
      const first = await hold(page, /\/notes$/, 'POST');
      await note.fill('One bag.');
      await note.press('Enter');
      await first.answered;
      await note.press('End');
      await note.pressSequentially(' And a dog');
      await first.release();
      await expect(note).toHaveValue('And a dog');
      await expect(thread).toContainText('One bag.');
      const second = await hold(page, /\/notes$/, 'POST');
      await note.press('Enter');
      await second.answered;
      await page.getByRole('searchbox').focus();
      await second.release();
      await expect(note).toHaveValue('');
      await expect(page.getByRole('searchbox')).toBeFocused();
    });

    await test.step('what is written as a note while the conversation is taken over stays one', async () => {
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const note = thread.getByRole('textbox', { name: 'Note for the team' });
      const written = Promise.withResolvers<void>();
      const wait = async (route: Route) => {
        await written.promise;
        await route.continue();
      };
      await page.route(/\/take-over$/, wait, { times: 1 });
      await thread.getByRole('button', { name: 'Take over' }).click();
      await note.pressSequentially('They are');
      written.resolve();
      await expect(thread.getByRole('button', { name: 'Hand back…' })).toBeVisible();
      await page.keyboard.type(' rude.');
      await expect(note).toHaveValue('They are rude.');
      await page.keyboard.press('Enter');
      await expect(thread.getByRole('region', { name: 'Notes' })).toContainText('They are rude.');
      await expect(thread.getByRole('list', { name: 'What was said' })).not.toContainText('rude');
    });

    await test.step('a reply that is being written while a colleague hands back stays one', async () => {
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const reply = thread.getByRole('textbox', { name: 'Reply to the visitor' });
      const takeOver = thread.getByRole('button', { name: 'Take over' });
      await thread.getByRole('button', { name: 'Reply', exact: true }).click();
      await reply.pressSequentially('One mo');
      const id = page.url().split('/').at(-1);
      await service.settings('POST', `/conversations/${id}/hand-back`, { summary: null });
      await expect(takeOver).toBeVisible();
      const why = thread.getByRole('status').filter({ hasText: 'Take over to write to the visitor.' });
      await expect(why).toBeVisible();
      await page.keyboard.type('ment, please.');
      await expect(reply).toHaveValue('One moment, please.');
      await page.keyboard.press('Enter');
      await expect(thread.getByRole('button', { name: 'Send' })).toBeDisabled();
      await expect(reply).toHaveValue('One moment, please.');
      await takeOver.click();
      await expect(reply).toBeFocused();
      await page.keyboard.press('Enter');
      await expect(thread.getByRole('list', { name: 'What was said' })).toContainText('One moment, please.');
    });
    await test.step('a field with the focus stays what it is, whoever answers meanwhile', async () => {
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const note = thread.getByRole('textbox', { name: 'Note for the team' });
      const reply = thread.getByRole('textbox', { name: 'Reply to the visitor' });
      const line = thread.getByRole('textbox', { name: 'Line for the agent' });
      const notes = thread.getByRole('region', { name: 'Notes' });
      const takeOver = thread.getByRole('button', { name: 'Take over' });
      const id = page.url().split('/').at(-1);
      const handBack = async () => {
        await service.settings('POST', `/conversations/${id}/hand-back`, { summary: null });
        await expect(takeOver).toBeVisible();
      };
      /** What is done between the click and its answer. */
      const takeOverWhile = async (act: () => Promise<void>) => {
        const done = Promise.withResolvers<void>();
        const wait = async (route: Route) => {
          await done.promise;
          await route.continue();
        };
        await page.route(/\/take-over$/, wait, { times: 1 });
        await takeOver.click();
        await act();
        done.resolve();
        await expect(thread.getByRole('button', { name: 'Hand back…' })).toBeVisible();
      };

      await expect(reply).toBeFocused();
      await handBack();
      await page.keyboard.type('Still here');
      await expect(reply).toHaveValue('Still here');
      await reply.fill('');
      await expect(reply).toBeFocused();

      await page.reload();
      await takeOverWhile(() => note.focus());
      await page.keyboard.type('He shouts.');
      await page.keyboard.press('Enter');
      await expect(notes).toContainText('He shouts.');

      await handBack();
      await thread.getByRole('button', { name: 'To the agent' }).click();
      await takeOverWhile(() => line.pressSequentially('Offer'));
      await page.keyboard.type(' a refund.');
      await page.keyboard.press('Enter');
      await expect(line).toHaveValue('Offer a refund.');
      await expect(
        thread.getByRole('status').filter({ hasText: 'The agent does not answer now.' }),
      ).toBeVisible();
      await handBack();
      await page.keyboard.press('Enter');
      await expect(notes).toContainText('To the agent: Offer a refund.');

      const search = page.getByRole('searchbox');
      await takeOverWhile(() => search.pressSequentially('the qu'));
      await page.keyboard.type('ay');
      await expect(search).toHaveValue('the quay');
      await expect(thread.getByRole('list', { name: 'What was said' })).not.toContainText(/shouts|refund/);
    });
    await test.step('handing back ends where a colleague was faster', async () => {
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      const open = thread.getByRole('button', { name: 'Hand back…' });
      const dialog = page.getByRole('dialog', { name: 'Hand back to the agent?' });
      const faster = page.getByText('Somebody else was faster: the agent answers again.');
      const id = page.url().split('/').at(-1);
      const handBack = () => service.settings('POST', `/conversations/${id}/hand-back`, { summary: null });
      await open.click();
      await dialog.getByRole('textbox').fill('They want a refund.');
      await handBack();
      await expect(dialog).toHaveCount(0);
      await expect(faster).toBeVisible();
      await thread.getByRole('button', { name: 'Take over' }).click();
      await open.click();
      await expect(dialog.getByRole('textbox')).toBeEditable();
      await expect(dialog.getByRole('textbox')).not.toHaveValue(/refund/);
      // Before this tab is told of it.
      const late = await hold(page, /\/thread$/);
      await handBack();
      await late.answered;
      await dialog.getByRole('button', { name: 'Hand back' }).click();
      await expect(dialog).toHaveCount(0);
      await expect(faster).toBeVisible();
      await late.release();
      await thread.getByRole('button', { name: 'Take over' }).click();
      await expect(open).toBeVisible();
    });
    await test.step('whoever cannot take over is told who answers, and not to take over', async () => {
      const id = page.url().split('/').at(-1);
      await service.settings('POST', `/conversations/${id}/hand-back`, { summary: null });
      await service.settings('POST', `/conversations/${id}/take-over`);
      await page.reload();
      const thread = page.getByRole('region', { name: 'Conversation', exact: true });
      await expect(thread.getByRole('textbox', { name: 'Note for the team' })).toBeVisible();
      await expect(thread.getByRole('button', { name: 'Take over' })).toHaveCount(0);
      await expect(thread.locator('.compose [role=status]')).toHaveText(/ answers the visitor now\.$/);
    });
    expect(found.filter((line) => !/ERR_FAILED|409 \(Conflict\)/.test(line))).toEqual([]);
  } finally {
    await service.stop();
  }
});
