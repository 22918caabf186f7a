import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureProgram } from '../ensure-program.ts';
import { createAgent, type RunningServer, startServer } from '../server.ts';
import { openThirtyPages } from '../thirty-pages.ts';
import { readExamples } from './read-examples.ts';
import { type Effect, runPage } from './run-page.ts';

const pages = readExamples();
const runnable = [...pages].filter(([, examples]) =>
  examples.some(({ language, shown }) => language === 'sh' && shown === null),
);
/** In a folder whose packages the examples find, as a reader's project has them. */
const folder = join(import.meta.dirname, '../../node_modules/.docs-examples');

const says = (say: string) => [{ steps: [{ say }] }];
/** What the agent of a page does, where it is not to say back what it is told. */
const scripts: Readonly<Record<string, readonly unknown[]>> = {
  tools: [
    {
      when: 'order (\\d+)',
      steps: [{ call: 'find_order', input: { order: '{{1}}' } }, { say: 'It says {{result}}' }],
    },
  ],
  approvals: [
    {
      when: 'refund order (\\d+)',
      steps: [{ call: 'refund_order', input: { order: '{{1}}' } }, { say: 'It says: {{result}}' }],
    },
  ],
};

/** Where the next command needs what the one before leads to. */
const awaited: Readonly<Record<string, Effect>> = {
  webhooks: { command: 'ticket-webhooks', says: 'You said' },
};

/** What readers see on their screens; without it a page could do nothing and be right. */
const seen: Readonly<Record<string, readonly RegExp[]>> = {
  quickstart: [/^tenant_/m, /^agent_/m, /You said: Hello!/],
  'how-it-works': [/(\{"id":"ticket-retry".*){2}/s],
  curl: [/"usage"/, /You said: And when/, /data: \[DONE\]/, /Agent|Ada/, /"deleted"/, /"turnsPerMinute":600/],
  node: [/You said: Tell me about the workshop\.\n/, /You said: Where is order 1042\? \d+/],
  python: [/You said: Where is order 1042\?\n/, /You said: Tell me about the workshop\.\n/],
  'use-chat': [/You said: Where is order 1042\?/],
  sessions: [/session\.completed/, /You said: Where is order 1042\?/],
  'eve-client': [/You said: And when/],
  // Both tokens are of one visitor, who has begun two sessions by then.
  contacts: [/"id":"offer"/, /"contacts":"change"/],
  visitors: [/"items":\[(\{"id":"ses_[^}]*\},?){2}\]/],
  tools: [/"status":"completed"/, /It says .*shipped this morning/],
  approvals: [/refund_order \{ order: '1057' \}/, /completed\nIt says: It is on its way\./],
  files: [/(You said: Is this chain still good\?.*){2}/s],
  knowledge: [/"kind":"website"/, /14 euros/],
  models: [/Hello from the model/],
  webhooks: [/whsec_/, /message: Hello/, /message: You said: Hello/, /"status":"delivered"/, /"replayed":0/],
  deploy: [/"running"/],
};

let server: RunningServer;
let model: Server;

beforeAll(async () => {
  for (const program of ['bash', 'curl', 'python3']) ensureProgram(program);
  await rm(folder, { recursive: true, force: true });
  server = await startServer({ environment: { PLATFORM: 'eve', EGRESS_ALLOW: '127.0.0.0/8' } });
});
afterAll(async () => {
  model?.close();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Stands where a reader's own model does. */
async function openModel(host: string): Promise<void> {
  model = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    const delta = { role: 'assistant', content: 'Hello from the model.' };
    const chunk = (choice: object) =>
      response.write(
        `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`,
      );
    chunk({ index: 0, delta, finish_reason: null });
    chunk({ index: 0, delta: {}, finish_reason: 'stop' });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => model.listen(11434, host, resolve));
}

test.concurrent.for(runnable)('what %s says works', async ([page, examples], { expect, signal }) => {
  const index = runnable.findIndex(([name]) => name === page);
  // Each page has an address of its own for the servers that its readers start.
  const host = process.platform === 'linux' ? `127.${index + 1}.${process.pid % 250}.2` : '127.0.0.1';
  if (page === 'models') await openModel(host);
  const shop = page === 'knowledge' ? await openThirtyPages() : null;
  const agent = await createAgent(server, scripts[page] ?? says('You said: {{input}}'));
  const values: [string, string][] = [
    ['127.0.0.1', host],
    ['{{service}}', server.url],
    ['{{platform}}', 'eve'],
    ['tenant_…', agent.tenantId],
    ['agent_…', agent.agentId],
    ['sk_live_…', agent.secretKey],
    ['pk_live_…', agent.publishableKey],
    ...(shop ? ([['https://www.example.com/', `${shop.origin}/`]] as [string, string][]) : []),
    ['Bearer ADMIN_TOKEN', `Bearer ${server.adminToken}`],
  ];
  const fill = (code: string) => values.reduce((text, [place, value]) => text.replaceAll(place, value), code);
  const home = join(folder, page);
  await mkdir(join(home, 'data'), { recursive: true });
  await writeFile(join(home, 'data/parley.db.admin-token'), server.adminToken);
  const { code, said } = await runPage({
    examples,
    folder: home,
    fill,
    awaited: awaited[page],
    signal,
  });
  shop?.close();
  expect(code, said).toBe(0);
  for (const expected of seen[page] ?? []) expect(said).toMatch(expected);
});

test('every example is run, or says why it is not', () => {
  for (const [page, examples] of pages) {
    const commands = examples
      .filter(({ language }) => language === 'sh')
      .map(({ code }) => code)
      .join('\n');
    for (const { language, title, shown, code } of examples) {
      if (['html', 'json', 'text'].includes(language) || shown !== null) continue;
      const known = language === 'sh' || (title !== '' && commands.includes(title));
      expect(known, `${page}: nothing runs the ${language} that begins with ${code.slice(0, 60)}`).toBe(true);
    }
  }
});
