import { expect, test } from '@playwright/test';
import { type RunningServer, startServer } from '../server.ts';
import { heard } from './chat.ts';
import { complaints } from './console-check.ts';

const waitMs = 600;
const script = [
  { when: 'slowly', steps: [{ say: 'One moment. ' }, { wait: waitMs }, { say: 'Here it is.' }] },
  { when: 'nobody answers', steps: [{ fail: 'The model has left.' }] },
  ...heard,
];

interface Told {
  readonly type: string;
  readonly data?: { readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number } };
}

/** Two agents of one tenant, and the key of each. */
async function createAgents({ settings }: RunningServer) {
  const { id: tenantId } = await settings<{ id: string }>('POST', '/tenants', { name: 'Harbour' });
  const create = async (name: string) => {
    const model = { provider: 'scripted', script };
    const { id: agentId } = await settings<{ id: string }>('POST', '/agents', { tenantId, name, model });
    const bound = { tenantId, agentId, kind: 'publishable' };
    return (await settings<{ key: string }>('POST', '/keys', bound)).key;
  };
  // A token read costs a cent, and a token written a euro.
  const models = [{ modelId: 'scripted', inputPerMillion: 10_000, outputPerMillion: 1_000_000 }];
  await settings('PATCH', `/tenants/${tenantId}`, { prices: { currency: 'EUR', models } });
  return { ada: await create('Ada'), ben: await create('Ben') };
}

async function post(service: RunningServer, path: string, key: string, body: object): Promise<Response> {
  const response = await fetch(`${service.url}/parley/v1/session${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(path === '' && { accept: 'application/x-ndjson' }),
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response;
}

/** A conversation of one turn, which is rated: what its events say that models read and wrote. */
async function converse(service: RunningServer, key: string, message: string, rating?: 'up' | 'down') {
  const response = await post(service, '', key, { message });
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes('"type":"session.waiting"')) break;
  }
  const whole = text.slice(0, text.lastIndexOf('\n')).split('\n').filter(Boolean);
  const usages = whole.map((line) => (JSON.parse(line) as Told).data?.usage);
  const sessionId = response.headers.get('x-parley-session-id') ?? '';
  if (rating) await post(service, `/${sessionId}/feedback`, key, { turnId: 'turn_0', rating });
  return {
    read: usages.reduce((sum, usage) => sum + (usage?.inputTokens ?? 0), 0),
    written: usages.reduce((sum, usage) => sum + (usage?.outputTokens ?? 0), 0),
  };
}

/** What a duration is in milliseconds. */
const msOf = (text: string): number => parseFloat(text) * (text.endsWith(' ms') ? 1 : 1_000);

test('usage is what the turns took, of all agents and of one', async ({ page }) => {
  const service = await startServer();
  const found = complaints(page);
  try {
    const { ada, ben } = await createAgents(service);
    const slow = await converse(service, ada, 'Look it up slowly', 'up');
    const quick = await converse(service, ben, 'Do you rent bicycles?', 'down');
    const failed = await converse(service, ben, 'What if nobody answers?');
    expect(slow.written).toBe(5);
    const read = slow.read + quick.read + failed.read;
    const written = slow.written + quick.written + failed.written;
    const cost = (of: typeof slow) =>
      new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' }).format(
        of.read / 100 + of.written,
      );
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Usage' }).click();
    /** What the chart has of today. */
    const today = async (name: string) => {
      const chart = page.getByRole('figure', { name });
      await chart.getByText('As a table').click();
      return chart.getByRole('row').last().getByRole('cell');
    };

    await test.step('the figures of the period', async () => {
      const term = page.getByRole('term');
      await expect(term.first()).toBeVisible();
      const tiles = await page.getByRole('definition').allInnerTexts();
      const names = await term.allInnerTexts();
      expect(Object.fromEntries(names.map((name, index) => [name, tiles[index]]))).toMatchObject({
        Turns: '3\n2 completed',
        Tokens: `${read + written}\n${written} of them written`,
        Cost: cost({ read, written }),
        Failed: '1\n33.3% of the turns',
        Helpful: '50%\nof 2 ratings',
      });
    });

    await test.step('the days of each', async () => {
      await expect(await today('Tokens')).toHaveText([String(read), String(written)]);
      await expect(await today('Ratings')).toHaveText(['1', '1']);
      await expect(await today('Turns')).toHaveText(['2', '1', '0']);
    });

    await test.step('why turns failed', async () => {
      const causes = page.getByRole('region', { name: 'Why turns failed' });
      await expect(causes.getByRole('row', { name: /^The provider refused the request\./ })).toContainText(
        /MODEL_REJECTED\s*1$/,
      );
    });

    await test.step('each agent beside the other', async () => {
      const agents = page.getByRole('region', { name: 'Usage by agent' });
      const row = (name: string) => agents.getByRole('row', { name }).getByRole('cell');
      const tokens = (of: typeof slow) => String(of.read + of.written);
      const ofBen = { read: quick.read + failed.read, written: quick.written + failed.written };
      await expect(row('Ada')).toHaveText(['1', '0', tokens(slow), cost(slow), '0', '0', '1', '0']);
      await expect(row('Ben')).toHaveText(['2', '1', tokens(ofBen), cost(ofBen), '0', '0', '0', '1']);
    });

    await test.step('beside as many days before', async () => {
      const today = new Date().toISOString().slice(0, 10);
      const isBefore = ({ pathname, searchParams }: URL) =>
        pathname.endsWith('/usage') && (searchParams.get('to') ?? today) < today;
      // Nobody waits a month: what was before is as it is now.
      await page.route(isBefore, async (route) => {
        const now = new URL(route.request().url());
        now.searchParams.delete('from');
        now.searchParams.delete('to');
        await route.fulfill({ response: await route.fetch({ url: now.href }) });
      });
      await page.reload();
      const turns = page.getByRole('definition').first();
      await expect(turns).toHaveText('32 completedas in the 30 days before');
      await page.unrouteAll({ behavior: 'wait' });
      await page.reload();
      await expect(turns).toHaveText('32 completed');
    });

    await test.step('how long one agent takes to begin, and to end', async () => {
      await page.getByLabel('Agent', { exact: true }).selectOption('Ada');
      await expect(page.getByRole('row', { name: 'Ben' })).toHaveCount(0);
      const first = (await (await today('Time to the first words')).allInnerTexts()).map(msOf);
      const whole = (await (await today('Time of a whole turn')).allInnerTexts()).map(msOf);
      expect(first).toHaveLength(2);
      expect(whole).toHaveLength(2);
      // It waits between the two, and what is over a second is shown to its tenth.
      for (const [index, ms] of whole.entries())
        expect(ms - (first[index] ?? 0)).toBeGreaterThan(waitMs - 100);
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
  }
});
