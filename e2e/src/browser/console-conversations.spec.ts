import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import { addTool, openToolEndpoint } from '../clients/tool-endpoint.ts';
import { type RunningServer, startServer } from '../server.ts';
import { heard } from './chat.ts';
import { checkScreen, complaints } from './console-check.ts';

const script = [
  {
    when: 'refund for (\\S+)',
    steps: [{ call: 'refund', input: { order: '{{1}}' } }, { say: 'It is on its way.' }],
  },
  { when: 'nobody answers', steps: [{ fail: 'The model has left.' }] },
  ...heard,
];

/** Two agents of one tenant, the first with a tool behind that address, and the key of each. */
async function createAgents(service: RunningServer, toolUrl: string) {
  const { settings } = service;
  const { id: tenantId } = await settings<{ id: string }>('POST', '/tenants', { name: 'Harbour' });
  const create = async (name: string) => {
    const model = { provider: 'scripted', script };
    const { id: agentId } = await settings<{ id: string }>('POST', '/agents', { tenantId, name, model });
    const bound = { tenantId, agentId, kind: 'publishable' };
    return { agentId, key: (await settings<{ key: string }>('POST', '/keys', bound)).key };
  };
  const ada = await create('Ada');
  await addTool(service, ada.agentId, 'refund', {
    method: 'POST',
    url: `${toolUrl}/orders/{{order}}/refund`,
  });
  // So that she answers with her second revision.
  await settings('PATCH', `/agents/${ada.agentId}`, { instructions: 'Be brief.' });
  return { tenantId, ada: ada.key, ben: (await create('Ben')).key };
}

async function post(service: RunningServer, path: string, key: string, body: object): Promise<Response> {
  return fetch(`${service.url}/parley/v1/session${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** The day that is so many days away, as a field for dates takes it. */
const dayAway = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function download(page: Page, link: string) {
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: link }).click();
  const file = await downloading;
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('conversations come in by themselves, are found, read, taken along and deleted', async ({ page }) => {
  const tool = await openToolEndpoint();
  const service = await startServer({ environment: tool.environment });
  const found = complaints(page);
  try {
    const { tenantId, ada, ben } = await createAgents(service, tool.url);
    await post(service, '', ada, { message: 'When do you open?' });
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Conversations' }).click();
    const opens = page.getByRole('link', { name: /When do you open\?.*Ada/ });
    const rents = page.getByRole('link', { name: /Do you rent bicycles\?.*Ben/ });
    const clear = page.getByRole('button', { name: 'Clear' });

    await test.step('what a visitor writes comes to stand first, without a reload', async () => {
      await expect(opens).toBeVisible();
      const started = await post(service, '', ben, { message: 'Do you rent bicycles?' });
      await expect(page.locator('a.conversation').first()).toContainText('Do you rent bicycles?');
      await expect(opens).toBeVisible();
      const { sessionId } = (await started.json()) as { sessionId: string };
      const rating = { turnId: 'turn_0', rating: 'down' };
      await expect
        .poll(async () => (await post(service, `/${sessionId}/feedback`, ben, rating)).status)
        .toBe(200);
      await checkScreen(page);
    });

    await test.step('agent, rating, status, date and words each leave those that are like it', async () => {
      await page.getByLabel('Agent', { exact: true }).selectOption('Ada');
      await expect(rents).toHaveCount(0);
      await expect(opens).toBeVisible();
      await clear.click();
      await expect(rents).toBeVisible();
      await page.getByLabel('Rating').selectOption('Not helpful');
      await expect(opens).toHaveCount(0);
      await expect(rents).toContainText('Not helpful');
      await page.getByLabel('Rating').selectOption('Helpful');
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await clear.click();
      await page.getByLabel('From (UTC)').fill(dayAway(2));
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await page.getByLabel('From (UTC)').fill(dayAway(-2));
      await expect(opens).toBeVisible();
      await page.getByLabel('To (UTC)').fill(dayAway(-2));
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await clear.click();
      await expect(rents).toBeVisible();
      const ended = /\/conversations\?.*status=ended/;
      await page.route(ended, (route) => route.fulfill({ status: 400, json: { error: 'Not now.' } }));
      await page.getByLabel('Status').selectOption('ended');
      await expect(page.getByRole('alert')).toHaveText('Not now.');
      await expect(rents).toHaveCount(0);
      await page.unroute(ended);
      await clear.click();
      await expect(rents).toBeVisible();
      await page.getByLabel('Status').selectOption('ended');
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await page.getByLabel('Search').fill('when do we close');
      await page.getByLabel('Status').selectOption('open');
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await page.getByLabel('Search').fill('open');
      await expect(opens.locator('mark')).toHaveText('open');
      await expect(rents).toHaveCount(0);
    });

    await test.step('another organisation has its own filters', async () => {
      await service.settings('POST', '/tenants', { name: 'Quarry' });
      await page.reload();
      const organisation = page.getByLabel('Organisation');
      await organisation.selectOption('Quarry');
      await expect(page.getByText('Nobody has written yet')).toBeVisible();
      await organisation.selectOption('Harbour');
      await expect(page.getByLabel('Search')).toHaveValue('open');
      await expect(rents).toHaveCount(0);
    });

    await test.step('one is read with what it took, and taken along as text and as JSON', async () => {
      await opens.click();
      await expect(page.getByRole('region', { name: 'Turn 1' })).toContainText('Heard: When do you open?');
      await page.getByText('Events', { exact: true }).click();
      await page.getByText('turn.started').click();
      await expect(page.getByRole('region', { name: 'turn.started' })).toContainText('configuration');
      await checkScreen(page);
      const asText = await download(page, 'Export text');
      expect(asText.name).toMatch(/\.txt$/);
      expect(asText.text).toContain('Heard: When do you open?');
      const asJson = await download(page, 'Export JSON');
      expect(asJson.name).toMatch(/\.json$/);
      expect(JSON.stringify(JSON.parse(asJson.text))).toContain('Heard: When do you open?');
    });

    await test.step('it is deleted, and what was looked for is looked for still', async () => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete conversation' }).click();
      await expect(page.getByText('No conversation is like that.')).toBeVisible();
      await clear.click();
      await expect(rents).toBeVisible();
      await expect(opens).toHaveCount(0);
    });

    await test.step('beside a turn stands with what it was made, what it took and what it cost', async () => {
      // A token read costs a cent, and a token written a euro.
      const models = [{ modelId: 'scripted', inputPerMillion: 10_000, outputPerMillion: 1_000_000 }];
      await service.settings('PATCH', `/tenants/${tenantId}`, { prices: { currency: 'EUR', models } });
      await post(service, '', ada, { message: 'I want a refund for B-4' });
      await page.reload();
      await page.getByRole('link', { name: /^I want a refund/ }).click();
      const took = page.getByRole('complementary', { name: 'What turn 1 took' });
      const figure = (name: string) =>
        took
          .getByRole('definition')
          .filter({ has: page.locator(`xpath=preceding-sibling::dt[.="${name}"]`) });
      const time = String.raw`\d[\d.]* m?s`;
      await expect(figure('Whole turn')).toHaveText(new RegExp(`^${time}$`));
      await expect(figure('First words')).toHaveText(new RegExp(`^${time}$`));
      await expect(figure('Model')).toHaveText('scripted');
      await expect(figure('Revision')).toHaveText('2');
      const steps = took.getByRole('list').first().getByRole('listitem');
      const modelStep = new RegExp(`^Model${time} · (\\d+) tokens$`);
      await expect(steps).toHaveText([modelStep, new RegExp(`^refund${time}$`), modelStep]);
      const [, read, written] =
        /^(\d+) in, (\d+) out$/.exec(await figure('Tokens').innerText())?.map(Number) ?? [];
      const ofSteps = (await steps.allInnerTexts()).map((text) =>
        Number(/(\d+) tokens/.exec(text)?.[1] ?? 0),
      );
      expect(ofSteps.reduce((sum, tokens) => sum + tokens)).toBe((read ?? 0) + (written ?? 0));
      const cost = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });
      await expect(figure('Cost')).toHaveText(cost.format((read ?? 0) / 100 + (written ?? 0)));
    });

    await test.step('why a turn failed is said where it stands', async () => {
      await post(service, '', ada, { message: 'What if nobody answers?' });
      await page.getByRole('link', { name: 'Conversations' }).first().click();
      await page.getByRole('link', { name: /^What if nobody answers\?/ }).click();
      const turn = page.getByRole('region', { name: 'Turn 1' });
      await expect(turn).toContainText('The assistant could not answer. Please try again.');
      await expect(turn).toContainText('The provider rejects the request.');
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
    tool.close();
  }
});
