import type { BrowserContext } from '@playwright/test';
import { startServer } from '../server.ts';
import { openShop } from './shop-server.ts';
import { identitySecret, sign } from './visitor-token.ts';

export const password = 'correct horse battery';
export const tenantName = 'Fernhill Cycles';
/** Where nothing was made yet. */
export const emptyTenant = 'Next year’s shop';

const script = [
  {
    when: 'money back for (\\S+)',
    steps: [
      {
        call: 'refund',
        input: { order: '{{1}}', reason: 'The tyre was flat when it came, and nobody could ride it home.' },
      },
      { say: 'It is on its way.' },
    ],
  },
  {
    when: 'Norway',
    steps: [
      { say: 'Let me ask.' },
      { call: 'ask_team', input: { question: 'Do we ship to Norway?' } },
      { say: 'My colleagues say: {{result}}' },
    ],
  },
  {
    steps: [
      {
        say: 'We open at **nine**, from Tuesday to Saturday.\n\n- Repairs until five\n- Rentals until half past five',
      },
    ],
  },
];

/** Where nothing listens. */
const nobody = { host: '127.0.0.1', port: 1 };

/** What a screen's address is made of. */
export interface DeskIds {
  readonly agent: string;
  readonly guide: string;
  readonly tool: string;
  readonly webhook: string;
  readonly contact: string;
  readonly toErase: string;
  readonly mcp: string;
  readonly composio: string;
  readonly mail: string;
  readonly calendar: string;
  /** Conversations: one that somebody has read, and those that wait for the team. */
  readonly answered: string;
  readonly held: string;
  readonly approval: string;
  readonly question: string;
  readonly invitation: string;
}

export interface Desk {
  readonly url: string;
  /** Of the shop's own service, which describes itself. */
  readonly shopUrl: string;
  readonly ids: DeskIds;
  /** Whoever uses the browser is signed in as Ada, an owner. */
  signIn(context: BrowserContext): Promise<void>;
  close(): Promise<void>;
}

interface Signed {
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  readonly cookie: { readonly name: string; readonly value: string };
}

/** A service with something on every screen of the console, made by its APIs alone. */
export async function openDesk(): Promise<Desk> {
  const shop = await openShop();
  const service = await startServer({
    environment: {
      EGRESS_ALLOW: `${shop.host},${nobody.host}:${nobody.port}`,
      SECRET_KEY_BASE: 'd'.repeat(48),
    },
  });
  const created = async (path: string, body: object) =>
    service.settings<{ id: string; token?: string; key?: string }>('POST', path, body);

  const { id: tenantId } = await created('/tenants', { name: tenantName });
  await created('/tenants', { name: emptyTenant });
  await service.settings('PATCH', `/tenants/${tenantId}`, {
    team: {
      replies: [{ name: 'Rental', text: 'Two bicycles are twenty a day.' }],
      hours: null,
      awayMessage: 'We are back at nine.',
    },
    prices: {
      currency: 'EUR',
      models: [{ modelId: 'one-of-before', inputPerMillion: 2, outputPerMillion: 8 }],
    },
  });
  const join = async (name: string, role: string, of: string | null): Promise<Signed> => {
    const { token } = await created('/invitations', { role, tenantId: of });
    const own = { 'x-parley-console': '1', 'content-type': 'application/json' };
    const accepted = await fetch(`${service.url}/api/v1/settings/invitations/accept`, {
      method: 'POST',
      headers: own,
      body: JSON.stringify({ token, name, password }),
    });
    const [pair = ''] = accepted.headers.getSetCookie()[0]?.split(';') ?? [];
    const [cookieName = '', ...value] = pair.split('=');
    return {
      cookie: { name: cookieName, value: value.join('=') },
      async call(method, path, body) {
        const response = await fetch(`${service.url}/api/v1/settings${path}`, {
          method,
          headers: { ...own, cookie: pair },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
        return response.status === 204 ? undefined : response.json();
      },
    };
  };
  const ada = await join('Ada', 'owner', null);
  await join('Grace', 'agent', tenantId);
  const { token: invitation = '' } = await created('/invitations', { role: 'viewer', tenantId });

  const { id: agent } = await created('/agents', {
    tenantId,
    name: 'Fern',
    instructions: 'Be brief. Never promise a price.',
    model: { provider: 'scripted', script },
    approvalsBy: 'team',
    teamQuestionMinutes: 600,
    savedQuestions: ['When do you open?', 'Do you rent bicycles?'],
    identity: { secret: identitySecret },
    widget: {
      greeting: 'Hi! How can I help?',
      prompts: ['When do you open?', 'Do you rent bicycles?'],
      consent: { text: 'We keep what you write for 30 days.', link: 'https://example.com/privacy' },
      form: { fields: [{ name: 'order', label: 'Order number', type: 'text' }] },
      languages: { de: { greeting: 'Hallo! Wie kann ich helfen?' } },
    },
  });
  const { id: guide } = await created('/agents', {
    tenantId,
    name: 'Guide',
    model: { provider: 'quoting', model: 'quoting' },
  });
  const ofAgent = { tenantId, agentId: agent };
  const { id: tool } = await created('/tools', {
    agentId: agent,
    kind: 'http',
    name: 'refund',
    description: 'When a visitor wants their money back.',
    approval: 'always',
    parameters: {
      type: 'object',
      properties: {
        order: { type: 'string', description: 'The number on the invoice.' },
        reason: { type: 'string', description: 'Why, in a few words.' },
      },
      required: ['order', 'reason'],
    },
    request: {
      method: 'POST',
      url: `${shop.url}/orders/{{order}}/refund`,
      headers: { authorization: 'Bearer sk-of-the-shop' },
      body: { reason: '{{reason}}' },
    },
  });
  await created('/tools', {
    agentId: guide,
    kind: 'http',
    name: 'find_order',
    description: 'Looks up an order.',
    parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
    request: { method: 'GET', url: `${shop.url}/orders/{{order}}` },
  });
  const { key = '' } = await created('/keys', {
    ...ofAgent,
    kind: 'publishable',
    label: 'Fernhill Cycles',
    allowedOrigins: ['https://www.fernhill.example'],
  });
  const { key: guideKey = '' } = await created('/keys', { tenantId, agentId: guide, kind: 'publishable' });
  await created('/keys', { ...ofAgent, kind: 'secret', label: 'Help desk' });
  const source = (body: object) => created('/sources', { agentId: guide, ...body });
  await source({
    kind: 'faq',
    name: 'When do you open?',
    entries: [{ question: 'When do you open?', answer: 'At nine in the morning.' }],
  });
  await source({
    kind: 'faq',
    name: 'Visits',
    entries: [
      { question: 'Is there a toilet?', answer: 'Behind the counter.' },
      { question: 'May we pay in cash?', answer: 'Yes, and by card.' },
    ],
  });
  await source({ kind: 'text', name: 'Rentals', text: '# Rentals\n\nTwo bicycles are twenty a day.' });
  await source({ kind: 'website', name: 'www.fernhill.example', url: 'http://10.0.0.1/' });
  const webhook = await created('/webhooks', {
    tenantId,
    name: 'Shop',
    url: `${shop.url}/told`,
    events: ['conversation.begun', 'message', 'approval.asked'],
    approvalLinks: true,
  });
  const connect = (body: object) => created('/connections', { agentId: agent, ...body });
  const { id: mcp } = await connect({ kind: 'mcp', name: 'shop', url: `${shop.url}/mcp`, signIn: 'none' });
  const { id: composio } = await connect({
    kind: 'composio',
    name: 'gmail',
    url: shop.url,
    toolkit: 'gmail',
    apiKey: 'ak_of_nobody',
    signIn: 'none',
  });
  const { id: mail } = await connect({
    kind: 'mail',
    name: 'post',
    ...nobody,
    security: 'none',
    from: 'desk@fernhill.example',
    recipients: ['@fernhill.example'],
  });
  const { id: calendar } = await connect({
    kind: 'calendar',
    name: 'desk',
    timeZone: 'Europe/Berlin',
    hours: [{ days: [2, 3, 4, 5, 6], from: '09:00', to: '17:00' }],
    title: 'Test ride',
  });

  const start = async (with_: string, message: string, visitor?: string): Promise<string> => {
    const response = await fetch(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${with_}`,
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
        ...(visitor !== undefined && { 'x-parley-visitor-token': sign(visitor, agent) }),
      },
      body: JSON.stringify({ message, ...(with_ === key && { form: { order: 'A-17' } }) }),
    });
    await readUntil(response, rests);
    return response.headers.get('x-parley-session-id') ?? '';
  };
  await start(guideKey, 'Are dogs welcome?');
  const paused = { active: false, pauseMessage: 'We are away until Monday.' };
  await service.settings('PATCH', `/agents/${guide}`, paused);
  const answered = await start(key, 'When do you open?', 'ada.lovelace@example.com');
  await start(key, 'Do you rent bicycles by the week?', 'grace@example.com');
  const toErase = 'somebody@example.com';
  await start(key, 'Forget me, please.', toErase);
  const held = await start(key, 'Can I speak to a person?');
  const approval = await start(key, 'I want my money back for A-17');
  const question = await start(key, 'Do you ship to Norway?');
  await ada.call('POST', `/conversations/${held}/take-over`);
  await ada.call('POST', `/conversations/${held}/messages`, {
    text: 'Ada here. What can I do?',
    id: 'first',
  });
  await ada.call('POST', `/conversations/${held}/notes`, { text: 'Wants to rent a tandem.' });
  await service.settings('PATCH', `/agents/${agent}/draft`, {
    widget: { greeting: 'Hello from Fernhill!' },
    instructions: 'Be brief. Never promise a price, and say when you are not sure.',
  });
  const contacts = await service.settings<{ items: { id: string; visitor: string }[] }>(
    'GET',
    `/contacts?tenantId=${tenantId}`,
  );
  const contactOf = (visitor: string) => contacts.items.find((each) => each.visitor === visitor)?.id ?? '';

  return {
    url: service.url,
    shopUrl: shop.url,
    ids: {
      agent,
      guide,
      tool,
      webhook: webhook.id,
      contact: contactOf('ada.lovelace@example.com'),
      toErase: contactOf(toErase),
      mcp,
      composio,
      mail,
      calendar,
      answered,
      held,
      approval,
      question,
      invitation,
    },
    signIn: (context) => context.addCookies([{ ...ada.cookie, url: service.url }]),
    async close() {
      await service.stop();
      shop.close();
    },
  };
}

/** What a turn says once it is over, or waits for the team. */
const rests = /"type":"(?:session\.waiting|input\.requested|team\.asked)"/;

async function readUntil(response: Response, wanted: RegExp): Promise<void> {
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let read = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    read += chunk;
    if (wanted.test(read)) return;
  }
  throw new Error(`The turn ended: ${read}`);
}
