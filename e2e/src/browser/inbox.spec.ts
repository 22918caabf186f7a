import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, expect, type Page, type Request, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { check } from './console-check.ts';
import { picture } from './picture.ts';

const script = [
  {
    when: '^ask',
    steps: [{ call: 'ask_team', input: { question: 'Do we ship to Norway?' } }, { say: 'OK.' }],
  },
  { when: '^refund one', steps: [{ call: 'refund', input: { order: 'one' } }, { say: 'OK.' }] },
  {
    when: '^refund two',
    steps: [
      { call: 'refund', input: { order: 'two' } },
      { call: 'refund', input: { order: 'three' } },
      { say: 'OK.' },
    ],
  },
  { steps: [{ say: 'The agent heard {{input}}.' }] },
];

/** What refunds, and counts how often it was asked to. */
async function openShop() {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { address, calls, close: () => server.close() };
}

async function join(browser: Browser, link: string, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('link', { name: 'Inbox' })).toBeVisible();
  return page;
}

test('two members share an inbox, with the keyboard', async ({ browser }) => {
  test.setTimeout(600_000);
  const shop = await openShop();
  const service = await startServer({ environment: { EGRESS_ALLOW: shop.address } });
  const created = (path: string, body: object) =>
    service.settings<Record<string, string>>('POST', path, body);
  const { id: tenantId } = await created('/tenants', { name: 'Shop' });
  const model = { provider: 'scripted', script };
  const about = { tenantId, model, approvalsBy: 'team', teamQuestionMinutes: 30 };
  const { id: agentId } = await created('/agents', { ...about, name: 'Fern' });
  await created('/agents', { ...about, name: 'Heron' });
  await created('/tools', {
    agentId,
    kind: 'http',
    name: 'refund',
    description: 'Refunds',
    approval: 'always',
    parameters: { type: 'object', properties: { order: { type: 'string' } } },
    request: { method: 'POST', url: `http://${shop.address}/refund/{{order}}` },
  });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'secret' });
  const write = (secretKey: string | undefined, message: string) =>
    fetch(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    });
  for (const message of ['ask: Norway?', 'refund one', 'refund two', 'Hello there'])
    await write(key, message);
  try {
    const page = await join(browser, service.setupLink ?? '', 'Ada');
    const { token } = await created('/invitations', { tenantId, role: 'agent' });
    const colleague = await join(
      browser,
      `${new URL(page.url()).origin}/console#/invitation/${token}`,
      'Grace',
    );
    const row = (words: string) => page.locator('.inbox-row', { hasText: words });
    const thread = page.getByRole('region', { name: 'Conversation', exact: true });
    const list = page.getByRole('region', { name: 'Conversations' });
    const looksAfter = thread.getByLabel('Looked after by').locator('option:checked');
    const press = (key: string) => page.keyboard.press(key);
    const log = thread.getByRole('list', { name: 'What was said' });
    const reply = thread.getByLabel('Reply to the visitor');
    const failure = thread.getByRole('alert');
    const drawn = () =>
      page.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
      );
    const look = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, isHidden);

    await test.step('a member chooses a picture, and takes it away', async () => {
      const own = await page.context().newPage();
      await own.goto(`${new URL(page.url()).origin}/console#/account`);
      const file = { name: 'me.png', mimeType: 'image/png', buffer: picture(200, 160) };
      await own.getByLabel('Picture', { exact: true }).setInputFiles(file);
      await expect(own.getByText('Visitors see this picture now.')).toBeAttached();
      await check(own);
      await own.reload();
      await own.getByRole('button', { name: 'Remove picture' }).click();
      await expect(own.getByText('Visitors see your initials now.')).toBeAttached();
      await own.close();
    });

    await test.step('keys go through the list and find what is in it', async () => {
      await page.getByRole('link', { name: 'Inbox' }).click();
      const all = page.getByRole('link', { name: 'All', exact: true });
      await all.click();
      await expect(all).toHaveAttribute('aria-current', 'page');
      await expect(page.locator('.inbox-row')).toHaveCount(4);
      await press('j');
      await expect(page.locator('.inbox-row').nth(0)).toHaveAttribute('aria-current', 'true');
      await press('j');
      await expect(page.locator('.inbox-row').nth(1)).toHaveAttribute('aria-current', 'true');
      await press('k');
      await expect(page.locator('.inbox-row').nth(0)).toHaveAttribute('aria-current', 'true');
      await press('/');
      await page.keyboard.type('Hello there');
      await expect(page.locator('.inbox-row')).toHaveCount(1);
      await press('Escape');
      await expect(page.locator('.inbox-row')).toHaveCount(4);
      await press('?');
      const help = page.getByRole('dialog', { name: 'Keyboard' });
      const keys = ['j', 'k', '/', 'i', 't', 'r', 'a', 'A', 'D', 'n', 'w', 'e', 'Esc', '?'];
      await expect(help.locator('kbd')).toHaveText(keys);
      await check(page);
      await press('Escape');
    });

    await test.step('a list that nobody looked at is right once it is seen again', async () => {
      const rows = page.locator('.inbox-row');
      const isList = (request: Request) => /\/inbox\/stream\?/.test(request.url());
      const { items } = await service.settings<{ items: { id: string; firstMessage: string }[] }>(
        'GET',
        `/inbox?tenantId=${tenantId}`,
      );
      const oldest = items.at(-1);
      const assign = (memberId: string | null) =>
        service.settings('POST', `/conversations/${oldest?.id}/assign`, { memberId });
      const { items: members } = await service.settings<{ items: { id: string }[] }>(
        'GET',
        `/inbox/colleagues?tenantId=${tenantId}`,
      );
      await page.route('**/inbox?*', (route) =>
        route.continue({ url: route.request().url().replace('limit=100', 'limit=1') }),
      );
      await page.getByRole('link', { name: 'Unassigned', exact: true }).click();
      await expect(row(oldest?.firstMessage ?? '')).toBeVisible();
      await expect(rows).toHaveCount(4);
      const gone = page.waitForEvent('requestfailed', isList);
      await look(true);
      await gone;
      await assign(members[0]?.id ?? '');
      await look(false);
      await expect(rows).toHaveCount(3);
      await expect(row(oldest?.firstMessage ?? '')).toHaveCount(0);
      await assign(null);
      await expect(rows).toHaveCount(4);
      await page.unroute('**/inbox?*');
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await expect(rows).toHaveCount(4);
    });

    await test.step('a conversation is looked after and taken over', async () => {
      await row('Hello there').click();
      await expect(looksAfter).toHaveText('Nobody looks after it');
      const assigned: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/assign')) assigned.push(request.url());
      });
      // Held, it does that once.
      await page.keyboard.down('i');
      await page.keyboard.down('i');
      await page.keyboard.up('i');
      await expect(looksAfter).toHaveText('You');
      expect(assigned).toHaveLength(1);
      await press('i');
      await expect(looksAfter).toHaveText('Nobody looks after it');
      await press('w');
      await expect(page.getByLabel('Line for the agent')).toBeFocused();
      await press('Escape');
      await expect(log).toHaveAttribute('aria-live', 'off');
      await press('t');
      await expect(reply).toBeFocused();
      // Whoever cannot see it hears what the visitor writes now.
      await expect(log).toHaveAttribute('aria-live', 'polite');
      await press('Escape');
      await press('n');
      await expect(page.getByLabel('Note for the team')).toBeFocused();
      await press('Escape');
      await press('r');
      await expect(reply).toBeFocused();
    });

    await test.step('a reply is said once, and one that was refused may be sent again', async () => {
      const loseAnswer = () =>
        page.route(
          '**/messages',
          async (route) => {
            await route.fetch();
            await route.abort();
          },
          { times: 1 },
        );
      await loseAnswer();
      await reply.fill('On its way.');
      await reply.press('Enter');
      await expect(failure).toBeVisible();
      await reply.press('Enter');
      await expect(reply).toHaveValue('');
      await expect(log.getByText('On its way.')).toHaveCount(1);

      await loseAnswer();
      await reply.fill('Here on Monday.');
      await reply.press('Enter');
      await expect(failure).toBeVisible();
      // What is written anew is said, whatever became of the text before.
      await reply.fill('There on Tuesday.');
      await reply.press('Enter');
      await expect(reply).toHaveValue('');
      await expect(log.getByText('There on Tuesday.')).toHaveCount(1);

      const ids: unknown[] = [];
      const error = 'Somebody else was faster. Look at the conversation again.';
      await page.route(
        '**/messages',
        async (route) => {
          ids.push((route.request().postDataJSON() as { id: unknown }).id);
          await (ids.length === 1
            ? route.fulfill({ status: 409, json: { ok: false, error, code: 'CONFLICT', requestId: 'x' } })
            : route.continue());
        },
        { times: 2 },
      );
      await reply.fill('At nine.');
      await reply.press('Enter');
      await expect(failure).toHaveText(error);
      await reply.press('Enter');
      await expect(reply).toHaveValue('');
      expect(ids[1]).not.toBe(ids[0]);
    });

    await test.step('whoever reads back stays there while more is said', async () => {
      const left = () =>
        log.evaluate(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight);
      const say = async (text: string) => {
        await reply.fill(text);
        await reply.press('Enter');
        await expect(log).toContainText(text.slice(-10));
        // What is said may be heard before it is known to be sent, and nothing else is sent until then.
        await expect(reply).toHaveValue('');
        await drawn();
      };
      await say(Array.from({ length: 60 }, (_, index) => `Line number ${index}`).join('\n\n'));
      await expect.poll(left).toBeLessThan(2);
      await log.evaluate((element) => element.scrollTo({ top: 0 }));
      await drawn();
      await say('Read on later.');
      expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
      await log.evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      await drawn();
      await say('Read on now.');
      await expect.poll(left).toBeLessThan(2);
    });

    await test.step('a tab that nobody looks at leaves its connections to the others', async () => {
      const isStream = (request: Request) => /\/conversations\/[^/]+\/stream\?/.test(request.url());
      const gone = page.waitForEvent('requestfailed', isStream);
      await look(true);
      await gone;
      const again = page.waitForRequest(isStream);
      await look(false);
      expect((await again).url()).not.toMatch(/startIndex=0$/);
      await expect(log).toContainText('Read on now.');
    });

    await test.step('a note is removed, and what fails is said', async () => {
      await reply.press('Escape');
      await press('n');
      await page.keyboard.type('Ask Grace.');
      await press('Enter');
      const remove = thread.getByRole('button', { name: 'Remove' });
      await page.route('**/notes/*', (route) => route.abort(), { times: 1 });
      await remove.click();
      await expect(failure).toHaveText(/cannot be reached/);
      await remove.click();
      await expect(remove).toHaveCount(0);
      await expect(failure).toHaveCount(0);
    });

    await test.step('a conversation is handed back, also where the session had ended', async () => {
      const refused = { status: 401, json: { ok: false, error: 'x', code: 'UNAUTHORIZED', requestId: 'x' } };
      await page.route('**/thread', (route) => route.fulfill(refused), { times: 1 });
      await log.focus();
      await press('e');
      const door = page.getByRole('dialog', { name: 'Sign in' });
      await door.getByLabel('Name').fill('Ada');
      await door.getByLabel('Password').fill('correct horse battery');
      await door.getByRole('button', { name: 'Sign in', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Hand back to the agent?' });
      await dialog.getByRole('button', { name: 'Hand back' }).click();
      await expect(thread.getByRole('button', { name: 'Take over' })).toBeVisible();
    });

    await test.step('what the agent asks is answered, approved and declined', async () => {
      const asked: string[] = [];
      const count = (request: Request) => {
        if (/\/colleagues\?/.test(request.url())) asked.push(request.url());
      };
      page.on('request', count);
      await row('Norway').click();
      await expect(page.getByRole('region', { name: 'Question of the agent' })).toBeVisible();
      await press('a');
      await expect(page.getByLabel('Answer for the agent')).toBeFocused();
      await page.keyboard.type('We do.');
      await press('Enter');
      await expect(page.getByRole('region', { name: 'Question of the agent' })).toHaveCount(0);
      const approval = page.getByRole('region', { name: 'Approval of refund' });
      await row('refund one').click();
      await expect(approval).toBeVisible();
      await press('Shift+D');
      await expect(page.getByText('Declined. The agent is told.')).toBeAttached();
      await expect(approval).toHaveCount(0);

      // Of several, the one that is looked at; and nothing that has come into the place of one that was.
      await row('refund two').click();
      await approval.last().getByLabel('Arguments').focus();
      await press('Shift+A');
      await expect(approval.last()).toBeFocused();
      await expect(approval).toHaveCount(2);
      await press('Shift+A');
      await expect(page.getByText('Approved. The agent goes on.')).toBeAttached();
      await expect(approval).toHaveCount(1);
      await expect(approval).toContainText('"two"');
      await press('Shift+A');
      await expect(approval).toBeFocused();
      await press('Shift+D');
      await expect(page.getByText('Declined. The agent is told.')).toBeAttached();
      await expect(approval).toHaveCount(0);
      await expect.poll(() => shop.calls).toEqual(['/refund/three']);
      page.off('request', count);
      // Once a minute, in however many conversations.
      expect(asked.length).toBeLessThan(2);
    });

    await test.step('a colleague is given a conversation, and is seen in it', async () => {
      await row('Hello there').click();
      await expect(log).toContainText('Hello there');
      const caretaker = thread.getByLabel('Looked after by');
      const widths = await caretaker.evaluate((select) => {
        const cut = select.clientWidth;
        select.style.maxWidth = 'none';
        const whole = select.clientWidth;
        select.style.maxWidth = '';
        return { cut, whole };
      });
      expect(widths.cut, 'what the choice says is not cut off').toBe(widths.whole);
      await caretaker.selectOption('Grace');
      await expect(looksAfter).toHaveText('Grace');
      await colleague.getByRole('link', { name: 'Inbox' }).click();
      await expect(list.getByText('Also here: Grace')).toBeVisible();
      await colleague.getByRole('link', { name: 'Mine', exact: true }).click();
      await colleague.locator('.inbox-row', { hasText: 'Hello there' }).click();
      await expect(colleague.getByText('Ada is here, too.')).toBeVisible();
      await expect(thread.getByText('Grace is here, too.')).toBeVisible();
      await check(page);
    });

    await test.step('what a colleague notes and assigns is seen in a conversation that is open', async () => {
      const theirs = colleague.getByRole('region', { name: 'Conversation', exact: true });
      const note = theirs.getByLabel('Note for the team');
      await note.fill('They call back.');
      await note.press('Enter');
      await expect(thread.getByRole('region', { name: 'Notes' })).toContainText('They call back.');
      await theirs.getByLabel('Looked after by').selectOption('Nobody looks after it');
      await expect(looksAfter).toHaveText('Nobody looks after it');
      await theirs.getByLabel('Looked after by').selectOption('You');
      await expect(looksAfter).toHaveText('Grace');
    });

    await test.step('what a colleague notes while a conversation is being opened is seen in it', async () => {
      const read = Promise.withResolvers<void>();
      const noted = Promise.withResolvers<void>();
      await page.evaluate(() => (location.hash = '#/inbox/all'));
      await expect(thread).toHaveCount(0);
      await page.route('**/thread', async (route) => {
        const response = await route.fetch();
        read.resolve();
        await noted.promise;
        await route.fulfill({ response });
      });
      await row('Hello there').click();
      await read.promise;
      const note = colleague.getByLabel('Note for the team');
      await note.fill('They wrote a letter.');
      await note.press('Enter');
      await expect(colleague.getByRole('region', { name: 'Notes' })).toContainText('They wrote a letter.');
      await drawn();
      noted.resolve();
      await expect(thread.getByRole('region', { name: 'Notes' })).toContainText('They wrote a letter.');
      // A thread is read again with each list, and a read that is held must not outlive its route.
      await page.unrouteAll({ behavior: 'wait' });
    });

    await test.step('a conversation that is open is right again after a break, whatever the list shows', async () => {
      let asked = 0;
      const back = Promise.withResolvers<void>();
      await page.route('**/inbox/stream?*', async (route) => {
        asked += 1;
        // The first one ends at once, and what is noted before the second one is told to nobody.
        if (asked === 1) return route.fulfill({ body: '\n' });
        await back.promise;
        await route.continue();
      });
      await list.getByLabel('Agent').selectOption('Heron');
      await expect(page.locator('.inbox-row')).toHaveCount(0);
      await expect.poll(() => asked).toBe(2);
      const note = colleague.getByLabel('Note for the team');
      await note.fill('They were called.');
      await note.press('Enter');
      await expect(colleague.getByRole('region', { name: 'Notes' })).toContainText('They were called.');
      back.resolve();
      await expect(thread.getByRole('region', { name: 'Notes' })).toContainText('They were called.');
      await page.unrouteAll({ behavior: 'wait' });
      await list.getByLabel('Agent').selectOption('Every agent');
      await expect(page.locator('.inbox-row')).toHaveCount(4);
    });

    await test.step('the list is narrowed to a colleague, and to an agent', async () => {
      await list.getByLabel('Looked after by').selectOption('Grace');
      await expect(page.locator('.inbox-row')).toHaveCount(1);
      await expect(row('Hello there')).toBeVisible();
      await list.getByLabel('Looked after by').selectOption('Anybody');
      await expect(page.locator('.inbox-row')).toHaveCount(4);
      await list.getByLabel('Agent').selectOption('Heron');
      await expect(page.locator('.inbox-row')).toHaveCount(0);
      await list.getByLabel('Agent').selectOption('Fern');
      await expect(page.locator('.inbox-row')).toHaveCount(4);
    });

    await test.step('a list of which the latest turns hold nothing is looked through further', async () => {
      await row('Hello there').click();
      await expect(log).toContainText('Hello there');
      await thread.getByLabel('Looked after by').selectOption('You');
      await page.getByRole('link', { name: 'Mine', exact: true }).click();
      await expect(page.locator('.inbox-row')).toHaveCount(1);
      await row('Hello there').click();
      await expect(log).toContainText('Hello there');
      await thread.getByLabel('Looked after by').selectOption('Nobody looks after it');
      await expect(list.getByText('Nothing is yours at the moment.')).toBeVisible();
      await page.route('**/inbox?*', (route) => route.fulfill({ json: { items: [], next: '0' } }));
      await look(false);
      await expect(list.getByRole('button', { name: 'Look further' })).toBeVisible();
      await page.unroute('**/inbox?*');
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await expect(page.locator('.inbox-row')).toHaveCount(4);
    });

    await test.step('an agent that is made meanwhile is listed by its name, and may be chosen', async () => {
      const choice = list.getByLabel('Agent');
      await choice.selectOption('Every agent');
      const { id } = await created('/agents', { ...about, name: 'Wren' });
      const { key: itsKey } = await created('/keys', { tenantId, agentId: id, kind: 'secret' });
      await write(itsKey, 'Good morning');
      await expect(row('Good morning')).toContainText('Wren');
      await choice.selectOption('Wren');
      await expect(page.locator('.inbox-row')).toHaveCount(1);
    });

    await test.step('colleagues are asked for once members were changed, and change no list that is open', async () => {
      const back = Promise.withResolvers<void>();
      await page.route(
        '**/inbox/colleagues?*',
        async (route) => {
          const response = await route.fetch();
          const { items, next } = (await response.json()) as { items: object[]; next: null };
          await back.promise;
          await route.fulfill({
            response,
            json: { items: [...items, { id: 'member_0', name: 'Alan' }], next },
          });
        },
        { times: 1 },
      );
      await page.evaluate(() => (location.hash = '#/members'));
      await page.getByLabel('Role of Grace').selectOption('admin');
      await expect(page.getByText('Grace is Admin now.')).toBeAttached();
      const asked = page.waitForResponse(/\/inbox\/colleagues\?/, { timeout: 30_000 });
      await page.evaluate(() => (location.hash = '#/inbox/all'));
      const choice = list.getByLabel('Looked after by');
      const options = choice.locator('option');
      await choice.focus();
      back.resolve();
      await (await asked).finished();
      await drawn();
      await expect(options).toHaveText(['Anybody', 'You', 'Grace']);
      await choice.blur();
      await expect(options).toHaveText(['Anybody', 'You', 'Grace', 'Alan']);
    });

    await test.step('a list that was left may be told late that it was scrolled', async () => {
      const failed: string[] = [];
      page.on('pageerror', (error) => failed.push(error.message));
      const left = await page.locator('.inbox-rows').elementHandle();
      await page.evaluate(() => (location.hash = '#/account'));
      await expect.poll(() => left?.evaluate((rows) => rows.isConnected)).toBe(false);
      await left?.evaluate((rows) => void rows.dispatchEvent(new Event('scroll')));
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
      expect(failed).toEqual([]);
    });
  } finally {
    await service.stop();
    shop.close();
  }
});
