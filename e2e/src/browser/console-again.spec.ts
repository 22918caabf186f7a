import { expect, type Route, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { heard } from './chat.ts';
import { complaints } from './console-check.ts';
import { identitySecret, sign } from './visitor-token.ts';

test('what fails half-way is gone on with, and what others change meanwhile stays', async ({ page }) => {
  const service = await startServer();
  const found = complaints(page);
  const settings = <Answer>(method: string, path: string, body?: unknown) =>
    service.settings<Answer>(method, path, body);
  const count = async (list: string) => (await settings<{ items: unknown[] }>('GET', list)).items.length;
  try {
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();

    for (const [failing, made] of [
      ['keys', 1],
      ['sources', 2],
    ] as const)
      await test.step(`an agent of a website, where ${failing} fail once`, async () => {
        if (made > 1) await page.evaluate(() => (location.hash = '#/start'));
        await page.getByLabel('Your website').fill(`https://${failing}.invalid`);
        await page.getByRole('button', { name: 'Read it' }).click();
        const goOn = page.getByRole('button', { name: 'Go on without it' });
        await expect(goOn).toBeVisible();
        const answer = {
          status: 500,
          contentType: 'application/json',
          body: '{"error":"Not now."}',
        };
        await page.route(new RegExp(`/${failing}$`), (route) => route.fulfill(answer), { times: 1 });
        await goOn.click();
        await expect(page.getByRole('alert').filter({ hasText: 'Not now.' })).toBeVisible();
        await goOn.click();
        await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible();
        for (const list of ['/agents', '/keys', '/sources']) expect(await count(list), list).toBe(made);
      });

    await test.step('what is written while a website is read stays', async () => {
      const { items } = await settings<{ items: { id: string }[] }>('GET', '/agents');
      const path = `/agents/${items[0]!.id}`;
      let status = 'reading';
      await page.route(/\/sources\?/, async (route) => {
        const response = await route.fetch();
        const list = (await response.json()) as { items: { reading: object }[] };
        const met = { status, problems: ['/: It answered 503.', 'And 1248 more.'], problemCount: 1_249 };
        const sources = list.items.map((each) => ({ ...each, reading: { ...each.reading, ...met } }));
        await route.fulfill({ response, json: { ...list, items: sources } });
      });
      await page.route(/\/prompts$/, (route) => route.fulfill({ json: { prompts: ['What do you sell?'] } }));
      const decided = page.waitForResponse(
        (response) => response.url().endsWith('/revisions/1') || response.request().method() === 'PATCH',
      );
      await page.evaluate((id) => (location.hash = `#/start/${id}`), items[0]!.id);
      await expect(page.getByText(/^Reading /)).toBeVisible();
      await settings('PATCH', path, { widget: { prompts: ['Where are you?'] } });
      status = 'read';
      await (await decided).finished();
      const { widget } = await settings<{ widget: { prompts: string[] } }>('GET', path);
      expect(widget.prompts).toEqual(['Where are you?']);
      await expect(page.getByText('1249 pages were skipped')).toBeVisible();
      await page.unrouteAll({ behavior: 'wait' });
    });

    await test.step('an agent without its key says where one is made', async () => {
      await page.evaluate(() => (location.hash = '#/agents/new'));
      await page.getByLabel('Name').fill('Fern');
      await page.getByLabel('Provider').selectOption('quoting');
      await page.route(/\/keys$/, (route) => route.abort(), { times: 1 });
      await page.getByRole('button', { name: 'Create agent' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Fern' })).toBeVisible();
      await expect(page.getByText('It has no key, so no page and no server reaches it.')).toBeVisible();
      expect(await count('/agents')).toBe(3);
    });

    const { id: tenantId } = await settings<{ id: string }>('POST', '/tenants', { name: 'Harbour' });
    const model = { provider: 'scripted', script: heard };
    const { id: agentId } = await settings<{ id: string }>('POST', '/agents', {
      tenantId,
      name: 'Ada',
      model,
    });
    await page.reload();
    await page.getByLabel('Organisation').selectOption('Harbour');

    await test.step('what could not be read is read once the service is there again', async () => {
      const settingsApi = /\/api\/v1\/settings\//;
      const starting = { status: 503, contentType: 'text/plain', body: 'Starting.' };
      const agents = page.getByRole('link', { name: 'Agents' });
      const ofAda = page.getByRole('link', { name: /^Ada/ });
      const problem = page.getByRole('alert');
      const request = { method: 'GET', url: 'https://shop.example/stock' };
      const { id: toolId } = await settings<{ id: string }>('POST', '/tools', {
        agentId,
        kind: 'http',
        name: 'stock',
        description: 'When a visitor asks what is in stock.',
        parameters: { type: 'object', properties: {} },
        request,
      });
      for (const outage of [(route: Route) => route.abort(), (route: Route) => route.fulfill(starting)]) {
        await page.getByRole('link', { name: 'Usage' }).click();
        await expect(page.getByRole('figure').first()).toBeVisible();
        await page.route(settingsApi, outage);
        await agents.click();
        await expect(problem).toHaveText(/The service (?:cannot be reached|could not answer)/);
        // Whoever moves on meanwhile is told so there, too.
        for (const address of ['#/contacts', `#/start/${agentId}`, `#/tools/${toolId}`]) {
          await page.evaluate((hash) => (location.hash = hash), address);
          await expect(page.locator('.skeleton')).toHaveCount(0);
          await expect(problem).toHaveText(/The service (?:cannot be reached|could not answer)/);
        }
        await page.unroute(settingsApi);
        await expect(page.getByRole('heading', { level: 1, name: 'stock' })).toBeVisible({ timeout: 30_000 });
        await expect(problem).toHaveCount(0);
        await page.route(settingsApi, outage);
        await agents.click();
        await expect(problem).toHaveText(/The service (?:cannot be reached|could not answer)/);
        await page.unroute(settingsApi);
        await expect(ofAda).toBeVisible({ timeout: 30_000 });
        await expect(problem).toHaveCount(0);
      }
      await page.route(settingsApi, (route) => route.abort());
      await ofAda.click();
      await expect(problem).toHaveText(/cannot be reached/);
      await page.unroute(settingsApi);
      await expect(page.getByLabel('Name')).toHaveValue('Ada', { timeout: 30_000 });
      await page.getByRole('link', { name: 'Usage' }).click();
    });

    await test.step('addresses of a key that two add', async () => {
      const bound = { tenantId, agentId, kind: 'publishable', allowMissingOrigin: false };
      const { id } = await settings<{ id: string }>('POST', '/keys', bound);
      await page.evaluate((agent) => (location.hash = `#/agents/${agent}/website`), agentId);
      await expect(page.getByLabel('Address of your website')).toBeVisible();
      await settings('PATCH', `/keys/${id}`, { allowedOrigins: ['https://a.example'] });
      await page.getByLabel('Address of your website').fill('https://b.example');
      await page.getByRole('button', { name: 'Add address' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'https://a.example' })).toBeVisible();
      await settings('PATCH', `/keys/${id}`, {
        allowedOrigins: ['https://a.example', 'https://b.example', 'https://c.example'],
      });
      await page.getByRole('button', { name: 'Remove https://a.example' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove address' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'https://c.example' })).toBeVisible();
      const { allowedOrigins } = await settings<{ allowedOrigins: string[] }>('GET', `/keys/${id}`);
      expect(allowedOrigins).toEqual(['https://b.example', 'https://c.example']);
    });

    await test.step('why an address was not removed is said until it is', async () => {
      const failed = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
      const remove = async () => {
        await page.getByRole('button', { name: 'Remove https://c.example' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Remove address' }).click();
      };
      await page.route(/\/keys\/\w+$/, (route) => route.abort(), { times: 1 });
      await remove();
      await expect(failed).toBeVisible();
      await remove();
      await expect(page.getByRole('button', { name: 'Remove https://c.example' })).toHaveCount(0);
      await expect(failed).toHaveCount(0);
    });

    await test.step('questions that two save', async () => {
      await page.evaluate((agent) => (location.hash = `#/agents/${agent}/questions`), agentId);
      await expect(page.getByLabel('What a visitor could ask')).toBeVisible();
      await settings('PATCH', `/agents/${agentId}`, { savedQuestions: ['When?'] });
      await page.getByLabel('What a visitor could ask').fill('Where?');
      await page.getByRole('button', { name: 'Save question' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'When?' })).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Where?' })).toBeVisible();
      const failed = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
      const remove = page.getByRole('button', { name: 'Remove Where?' });
      await page.route(/\/agents\/\w+$/, (route) => route.abort(), { times: 1 });
      await remove.click();
      await expect(failed).toBeVisible();
      await remove.click();
      await expect(remove).toHaveCount(0);
      await expect(failed).toHaveCount(0);
    });

    await test.step('stages and replies that two change', async () => {
      const tenant = `/tenants/${tenantId}`;
      const { pipeline } = await settings<{ pipeline: { stages: object[] } }>('GET', tenant);
      await page.evaluate(() => (location.hash = '#/contacts/pipeline'));
      await expect(page.getByLabel('New stage')).toBeVisible();
      const stages = [{ id: 'won', name: 'Won' }, ...pipeline.stages];
      await settings('PATCH', tenant, { pipeline: { ...pipeline, stages, retentionDays: 90 } });
      await page.getByLabel('New stage').fill('Lead');
      await page.getByRole('button', { name: 'Add stage' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Lead' })).toBeVisible();
      await expect(page.getByRole('listitem').filter({ hasText: 'Won' })).toBeVisible();
      await expect(page.getByLabel('Days without a message')).toHaveValue('90');
      await page.evaluate(() => (location.hash = '#/inbox/settings'));
      await expect(page.getByLabel('Reply')).toBeVisible();
      const replies = [{ name: 'Hours', text: 'At nine.' }];
      await settings('PATCH', tenant, { team: { replies, hours: null, awayMessage: 'Back soon.' } });
      await page.getByLabel('Name').fill('Rental');
      await page.getByLabel('Reply').fill('Twenty a day.');
      await page.getByRole('button', { name: 'Add reply' }).click();
      await expect(page.getByRole('button', { name: 'Remove Rental' })).toBeVisible();
      await page.getByRole('button', { name: 'Remove Hours' }).click();
      await expect(page.getByRole('button', { name: 'Remove Hours' })).toHaveCount(0);
      await expect(page.getByLabel('What visitors are told meanwhile')).toHaveValue('Back soon.');
      expect(await settings('GET', tenant)).toMatchObject({
        team: { replies: [{ name: 'Rental' }], awayMessage: 'Back soon.' },
      });
    });

    await test.step('contacts that others keep by now are erased by nobody who was not asked', async () => {
      const tenant = `/tenants/${tenantId}`;
      const { pipeline } = await settings<{ pipeline: { retentionDays: number } }>('GET', tenant);
      const { retentionDays, ...kept } = pipeline;
      await page.evaluate(() => (location.hash = '#/contacts/pipeline'));
      const days = page.getByLabel('Days without a message');
      await expect(days).toHaveValue(String(retentionDays));
      await settings('PATCH', tenant, { pipeline: kept });
      await days.fill('120');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Erase such contacts?' });
      await expect(dialog).toContainText('for 120 days');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await settings('GET', tenant)).toHaveProperty('pipeline', kept);
      await page.getByRole('button', { name: 'Discard' }).click();
    });

    await test.step('a contact is saved without what was entered into a field that is gone', async () => {
      const tenant = `/tenants/${tenantId}`;
      const { pipeline } = await settings<{ pipeline: { fields: object[] } }>('GET', tenant);
      const fields = [...pipeline.fields, { id: 'budget', name: 'Budget' }];
      await settings('PATCH', tenant, { pipeline: { ...pipeline, fields } });
      await settings('PATCH', `/agents/${agentId}`, { identity: { secret: identitySecret } });
      const bound = { tenantId, agentId, kind: 'secret' };
      const { id: keyId, key } = await settings<{ id: string; key: string }>('POST', '/keys', bound);
      await fetch(`${service.url}/parley/v1/session`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'x-parley-visitor-token': sign('ada@example.com', agentId),
        },
        body: JSON.stringify({ message: 'Hello' }),
      });
      await settings('DELETE', `/keys/${keyId}`);
      await settings('PATCH', `/agents/${agentId}`, { identity: { secret: null } });
      const contacts = await settings<{ items: { id: string }[] }>('GET', `/contacts?tenantId=${tenantId}`);
      const path = `/contacts/${contacts.items[0]?.id}`;
      await page.evaluate((to) => (location.hash = `#${to}`), path);
      await page.reload();
      await page.getByLabel('Budget').fill('200');
      await settings('PATCH', tenant, { pipeline });
      await page.reload();
      await page.getByLabel('Name', { exact: true }).fill('Ada');
      await expect(page.getByLabel('Budget')).toHaveCount(0);
      await page.getByRole('button', { name: 'Save contact' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Ada', exact: true })).toBeVisible();
      expect(await settings('GET', path)).toMatchObject({ fields: { name: { value: 'Ada' } } });
    });

    await test.step('a secret key that was made is shown, also where the list cannot be read again', async () => {
      await page.evaluate(() => (location.hash = '#/integrations/channels/api'));
      const create = page.getByRole('button', { name: 'Create secret key' });
      await expect(create).toBeVisible();
      await page.route(/\/keys\?/, (route) => route.abort(), { times: 1 });
      await create.click();
      await expect(page.getByRole('region', { name: 'Secret key: the key' })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveText(/cannot be reached/);
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await expect(page.getByRole('region', { name: 'Secret key: the key' })).toHaveCount(0);
      await expect(page.getByRole('alert')).toHaveCount(0);
    });

    await test.step('a draft that two change is looked at before it is saved, published or discarded', async () => {
      const agent = `/agents/${agentId}`;
      const refused = page.getByRole('alert').filter({ hasText: 'The draft was changed meanwhile' });
      const draft = page.getByRole('region', { name: 'Draft' });
      const dialog = page.getByRole('dialog');
      await page.evaluate((id) => (location.hash = `#/agents/${id}`), agentId);
      const name = page.getByLabel('Name', { exact: true });
      const save = page.getByRole('button', { name: 'Save draft' });
      await expect(name).toBeVisible();
      await settings('PATCH', `${agent}/draft`, { instructions: 'Be brief.' });
      await name.fill('Eve');
      await save.click();
      await expect(refused).toBeVisible();
      await expect(name).toHaveValue('Eve');
      await expect(page.getByLabel('Instructions')).toHaveValue('Be brief.');
      await expect(draft).toContainText('1 change not published');
      await save.click();
      await expect(draft).toContainText('2 changes not published');

      await settings('PATCH', `${agent}/draft`, { maxSteps: 3 });
      await draft.getByRole('button', { name: 'Publish…' }).click();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await expect(dialog.getByRole('alert')).toContainText('The draft was changed meanwhile');
      await expect(dialog.getByRole('heading', { name: 'Publish 3 changes?' })).toBeVisible();
      expect(await settings('GET', agent)).toMatchObject({ name: 'Ada', revision: 1 });

      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await settings('PATCH', `${agent}/draft`, { temperature: 1 });
      await draft.getByRole('button', { name: 'Discard' }).click();
      await dialog.getByRole('button', { name: 'Discard draft' }).click();
      await expect(refused).toBeVisible();
      await expect(draft).toContainText('4 changes not published');
      await draft.getByRole('button', { name: 'Publish…' }).click();
      await settings('DELETE', `${agent}/draft`);
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await expect(
        page.getByRole('status').filter({ hasText: 'The draft was changed meanwhile' }),
      ).toBeVisible();
      await expect(dialog).toHaveCount(0);
      await expect(draft).toHaveCount(0);
    });

    const door = page.getByRole('dialog', { name: 'Sign in' });
    const signIn = async () => {
      await door.getByLabel('Name').fill('Zoe');
      await door.getByLabel('Password').fill('correct horse battery');
      await door.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(door).toHaveCount(0);
    };
    const saveName = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByText('Everything is saved in the draft.')).toBeVisible();
    };

    await test.step('why a draft was not discarded is said until it is another one', async () => {
      const agent = `/agents/${agentId}`;
      const draft = page.getByRole('region', { name: 'Draft' });
      const problem = page.getByRole('alert');
      const discard = async () => {
        await draft.getByRole('button', { name: 'Discard' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      };
      await saveName('Ivy');
      await settings('PATCH', `${agent}/draft`, { maxSteps: 5 });
      await discard();
      await expect(problem).toHaveText(/^The draft was changed meanwhile/);
      await expect(draft).toContainText('2 changes not published');
      await saveName('Eve');
      await expect(problem).toHaveCount(0);

      await settings('DELETE', `${agent}/draft`);
      await discard();
      await expect(problem).toHaveText(/^The draft was changed meanwhile/);
      await expect(draft).toHaveCount(0);
      await saveName('Ivy');
      await expect(draft).toContainText('1 change not published');
      await expect(problem).toHaveCount(0);

      await page.route(/\/draft\?/, (route) => route.abort(), { times: 1 });
      await discard();
      await expect(problem).toHaveText(/cannot be reached/);
      await discard();
      await expect(draft).toHaveCount(0);
      await expect(problem).toHaveCount(0);
    });

    await test.step('why a draft was not saved is in sight at the end of its form', async () => {
      await page.getByLabel('Name', { exact: true }).fill('Eve');
      await page.route(/\/draft$/, (route) => route.abort(), { times: 1 });
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      await page.getByRole('button', { name: 'Save draft' }).click();
      const why = page.locator('form').getByRole('alert');
      await expect(why).toBeInViewport({ ratio: 1 });
      // Also where the names of sections stand above what is entered.
      const isCovered = () =>
        why.evaluate((alert) => {
          const { left, top, width, height } = alert.getBoundingClientRect();
          const places = [0.1, 0.5, 0.9].map((part) => [left + width * part, top + height * part] as const);
          return places.some(([x, y]) => !alert.contains(document.elementFromPoint(x, y)));
        });
      await expect.poll(isCovered).toBe(false);
      await saveName('Zoe');
      await expect(page.getByRole('alert')).toHaveCount(0);
      await settings('DELETE', `/agents/${agentId}/draft`);
      await page.reload();
    });

    await test.step('what publishes a draft that is gone does not come back with the next one', async () => {
      const agent = `/agents/${agentId}`;
      const draft = page.getByRole('region', { name: 'Draft' });
      const dialog = page.getByRole('dialog', { name: /^Publish/ });
      await saveName('Eve');
      await draft.getByRole('button', { name: 'Publish…' }).click();
      await expect(dialog).toBeVisible();
      await settings('DELETE', `${agent}/draft`);
      await page.context().clearCookies();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await signIn();
      await expect(draft).toHaveCount(0);
      await saveName('Ivy');
      await expect(draft).toContainText('1 change not published');
      await expect(dialog).toHaveCount(0);
      await settings('DELETE', `${agent}/draft`);
    });

    await test.step('a revision takes the place of the draft that was seen, and of no other one', async () => {
      const agent = `/agents/${agentId}`;
      const draft = page.getByRole('region', { name: 'Draft' });
      const first = page.getByRole('article', { name: 'Revision 1' });
      const refused = first.getByRole('alert').filter({ hasText: 'The draft was changed meanwhile' });
      await settings('PATCH', agent, { maxSteps: 4 });
      await page.evaluate((id) => (location.hash = `#/agents/${id}/history`), agentId);
      await page.reload();
      await first.getByRole('button', { name: 'Compare' }).click();
      const restore = first.getByRole('button', { name: 'Restore into the draft' });
      await expect(restore).toBeVisible();
      await settings('PATCH', `${agent}/draft`, { name: 'Eve' });
      await restore.click();
      await expect(refused).toBeVisible();
      await expect(draft).toContainText('1 change not published');
      await settings('PATCH', `${agent}/draft`, { name: 'Ivy' });
      await restore.click();
      const replace = page.getByRole('dialog').getByRole('button', { name: 'Replace draft' });
      await replace.click();
      await expect(refused).toBeVisible();
      expect(await settings('GET', `${agent}/draft`)).toMatchObject({ agent: { name: 'Ivy' } });
      await restore.click();
      await replace.click();
      await expect(draft).toContainText('Steps of a turn');
      await expect(refused).toHaveCount(0);
      expect(await settings('GET', `${agent}/draft`)).toMatchObject({ agent: { name: 'Ada', maxSteps: 20 } });
      await settings('DELETE', `${agent}/draft`);
      await page.reload();
    });

    await test.step('what went wrong is heard each time, and not said any more once it went well', async () => {
      const abort = (route: Route) =>
        route.request().method() === 'PATCH' ? route.abort() : route.fallback();
      await page.route(/\/agents\/\w+$/, abort);
      await page.getByRole('button', { name: 'Pause' }).click();
      const failed = page.getByRole('alert').filter({ hasText: 'The service cannot be reached.' });
      // A screen reader says what is new in the page.
      await failed.evaluate((said) => said.setAttribute('data-heard', ''));
      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(page.locator('[data-heard]')).toHaveCount(0);
      await expect(failed).toBeVisible();
      await page.unroute(/\/agents\/\w+$/, abort);
      await page.getByRole('button', { name: 'Pause' }).click();
      await expect(page.getByRole('button', { name: 'Go live' })).toBeVisible();
      await expect(failed).toHaveCount(0);
    });

    await test.step('a secret that is made by two clicks is the one that is shown', async () => {
      await page.evaluate((id) => (location.hash = `#/agents/${id}/visitors`), agentId);
      const sent: string[] = [];
      page.on('request', (request) => void (request.method() === 'PATCH' && sent.push(request.url())));
      await page.getByRole('button', { name: 'Make a secret' }).evaluate(clickTwice);
      await expect(page.getByRole('region', { name: 'Secret' })).toBeVisible();
      expect(sent).toHaveLength(1);
      page.removeAllListeners('request');
    });

    await test.step('a password that is typed stays while a mail server is tested', async () => {
      const { id } = await settings<{ id: string }>('POST', '/connections', {
        agentId,
        kind: 'mail',
        name: 'post',
        host: 'smtp.invalid',
        from: 'desk@fernhill.example',
        recipients: ['@fernhill.example'],
      });
      await page.evaluate((to) => (location.hash = `#/integrations/connections/${to}`), id);
      await page.getByLabel('Password').fill('of the desk');
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await expect(
        page.getByRole('status').filter({ hasText: 'The server was asked again.' }),
      ).toBeAttached();
      await expect(page.getByLabel('Password')).toHaveValue('of the desk');
      // It goes to no other server, should somebody have changed that.
      await settings('PATCH', `/connections/${id}`, { host: 'other.invalid' });
      await page.getByRole('button', { name: 'Test', exact: true }).click();
      await expect(page.getByLabel('Mail server')).toHaveValue('other.invalid');
      await expect(page.getByLabel('Password')).toHaveValue('');
    });

    await test.step('a list that is unfolded stays so while one of it is read again', async () => {
      for (let n = 0; n < 60; n += 1)
        await settings('POST', '/sources', {
          agentId,
          kind: 'text',
          name: `Text ${n}`,
          text: 'Open at nine.',
        });
      await page.evaluate((agent) => (location.hash = `#/agents/${agent}/knowledge`), agentId);
      const sources = page.getByRole('region', { name: 'Sources' }).locator('.row-name');
      await expect(sources).toHaveCount(50);
      await page.getByRole('button', { name: 'Show more' }).evaluate(clickTwice);
      await expect(sources).toHaveCount(60);
      await page.getByRole('button', { name: 'Remove Text 59' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click();
      await expect(page.getByRole('status').filter({ hasText: 'Text 59 was removed.' })).toBeAttached();
      await expect(sources).toHaveCount(59);
    });

    await test.step('a list stays where what follows cannot be read', async () => {
      await settings('POST', '/agents', { tenantId, name: 'Ben', model });
      const one = (route: Route) =>
        route.continue({ url: route.request().url().replace('limit=50', 'limit=1') });
      await page.route(/\/agents\?.*limit=50/, one);
      await page.evaluate(() => (location.hash = '#/agents'));
      const names = page.locator('.agent-name');
      await expect(names).toHaveCount(1);
      await page.route(/\/agents\?.*cursor=/, (route) => route.abort(), { times: 1 });
      const more = page.getByRole('button', { name: 'Show more' });
      await more.click();
      await expect(page.getByRole('alert')).toHaveText(/cannot be reached/);
      await expect(names).toHaveCount(1);
      await more.click();
      await expect(names).toHaveCount(2);
      await expect(page.getByRole('alert')).toHaveCount(0);
      await page.unroute(/\/agents\?.*limit=50/, one);
    });

    await test.step('what was asked for while a session ended is there once somebody is back', async () => {
      await settings('PATCH', `/agents/${agentId}`, { instructions: 'Be kind.' });
      await page.evaluate(() => (location.hash = '#/agents'));
      await expect(page.getByRole('heading', { name: 'Agents' })).toBeVisible();
      await page.evaluate((id) => (location.hash = `#/agents/${id}/history`), agentId);
      const first = page.getByRole('article', { name: 'Revision 1' });
      await expect(first).toBeVisible();
      await page.context().clearCookies();
      await first.getByRole('button', { name: 'Compare' }).click();
      await signIn();
      await expect(first).toContainText('Be kind.');
      await page.context().clearCookies();
      await page.evaluate(() => (location.hash = '#/account'));
      await signIn();
      await expect(page.getByLabel('Picture')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
    });
    await test.step('a dialog that was closed is opened again by the very next key', async () => {
      await settings('PATCH', `/agents/${agentId}/draft`, { instructions: 'Be brief.' });
      await page.evaluate((id) => (location.hash = `#/agents/${id}`), agentId);
      for (const name of ['Publish…', 'Discard']) {
        const opener = page.getByRole('region', { name: 'Draft' }).getByRole('button', { name });
        await opener.click();
        await expect(page.getByRole('dialog')).toBeVisible();
        // Both keys wait until a busy page hears them.
        const busy = page.evaluate(() => {
          for (const until = performance.now() + 200; performance.now() < until;);
        });
        await Promise.all([busy, page.keyboard.press('Escape'), page.keyboard.press('Enter')]);
        // What comes late for the dialog before has come by then.
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
        await expect(page.getByRole('dialog')).toBeVisible();
        await page.keyboard.press('Escape');
        await expect(page.locator('dialog')).toHaveCount(0);
        await expect(opener).toBeFocused();
      }
    });

    await test.step('whoever comes in by another tab is not asked what the member before was asked', async () => {
      const { token } = await settings<{ token: string }>('POST', '/invitations', {
        tenantId,
        role: 'admin',
      });
      await page.getByRole('button', { name: 'Discard' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
      const other = await page.context().newPage();
      await other.goto(`${service.url}/console#/invitation/${token}`);
      await other.getByLabel('Your name').fill('Bob');
      await other.getByLabel('Password').fill('correct horse battery');
      await other.getByRole('button', { name: 'Continue' }).click();
      await expect(page.locator('.who')).toContainText('Bob');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    });
    expect(found.filter((line) => !/status of (?:409|500|503)|ERR_FAILED/.test(line))).toEqual([]);
  } finally {
    await service.stop();
  }
});

/** Before there is an answer to the first click. */
function clickTwice(button: HTMLElement | SVGElement): void {
  for (let clicks = 0; clicks < 2; clicks += 1)
    button.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}
