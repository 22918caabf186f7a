import { expect, type Page } from '@playwright/test';
import { type Desk, type DeskIds, emptyTenant, password, tenantName } from './console-desk.ts';

/** A screen, a dialog or a state of the console that looks like no other. */
export interface ConsoleScreen {
  /** Of the console's routes; null: what it says where there is none. */
  readonly route: string | null;
  /** Its address, where the route has an id in it. */
  readonly at?: (ids: DeskIds) => string;
  /** What stands above it. */
  readonly title: string | RegExp;
  /** What a member does to get there. */
  readonly act?: (page: Page, desk: Desk) => Promise<void>;
  /** The button that is pressed to see what is missing, as long as nothing is entered. */
  readonly submit?: string;
  /** What has to be done before another screen is looked at. */
  readonly leave?: (page: Page) => Promise<void>;
  /** Nobody is signed in. */
  readonly isOutside?: true;
  /** In an organisation where nothing was made yet. */
  readonly isEmpty?: true;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
const dialog = (page: Page, name: string | RegExp) =>
  expect(page.getByRole('dialog', { name })).toBeVisible();
const withWidget = (page: Page) =>
  expect(page.getByRole('region', { name: 'Preview' }).getByRole('textbox').first()).toBeVisible();

/** Everything that can be seen of the console, in an order in which nothing is gone before it was looked at. */
export const screens: Readonly<Record<string, ConsoleScreen>> = {
  join: {
    route: 'invitation/:token',
    at: ({ invitation }) => `invitation/${invitation}`,
    title: 'Welcome to Parley',
    isOutside: true,
  },
  'join, with what is missing': {
    route: 'invitation/:token',
    at: ({ invitation }) => `invitation/${invitation}`,
    title: 'Welcome to Parley',
    isOutside: true,
    submit: 'Continue',
  },
  'sign in': { route: 'agents', title: 'Sign in', isOutside: true },
  nowhere: { route: null, title: 'This cannot be shown' },
  'agents, none yet': { route: 'agents', title: 'Agents', isEmpty: true },
  'tools, none yet': { route: 'tools', title: 'Tools', isEmpty: true },
  'integrations, none yet': { route: 'integrations', title: 'Integrations', isEmpty: true },
  'API, none yet': { route: 'integrations/channels/api', title: 'API', isEmpty: true },
  'webhooks, none yet': { route: 'integrations/webhooks', title: 'Webhooks', isEmpty: true },
  'conversations, none yet': { route: 'conversations', title: 'Conversations', isEmpty: true },
  'contacts, none yet': { route: 'contacts', title: 'Contacts', isEmpty: true },
  'usage, none yet': { route: 'usage', title: 'Usage', isEmpty: true },
  'inbox, none yet': { route: 'inbox/:view', at: () => 'inbox/all', title: 'Inbox', isEmpty: true },
  agents: { route: 'agents', title: 'Agents' },
  'new agent': { route: 'start', title: 'New agent' },
  'new agent without a website': {
    route: 'agents/new',
    title: 'New agent',
    submit: 'Create agent',
  },
  'proposed agent': {
    route: 'start/:agent',
    at: ({ guide }) => `start/${guide}`,
    title: 'Your agent',
    act: withWidget,
  },
  agent: { route: 'agents/:agent', at: ({ agent }) => `agents/${agent}`, title: 'Fern', act: withWidget },
  'agent that is paused': {
    route: 'agents/:agent',
    at: ({ guide }) => `agents/${guide}`,
    title: 'Guide',
    act: withWidget,
  },
  'agent that is gone': {
    route: 'agents/:agent',
    at: () => 'agents/agent_of_nobody',
    title: 'This cannot be shown',
  },
  publish: {
    route: 'agents/:agent/history',
    at: ({ agent }) => `agents/${agent}/history`,
    title: 'Fern',
    async act(page) {
      await press(page, 'Publish…');
      await dialog(page, /^Publish/);
    },
  },
  deletion: {
    route: 'agents/:agent/history',
    at: ({ agent }) => `agents/${agent}/history`,
    title: 'Fern',
    async act(page) {
      await press(page, 'Delete');
      await dialog(page, 'Delete Fern?');
    },
  },
  history: {
    route: 'agents/:agent/history',
    at: ({ agent }) => `agents/${agent}/history`,
    title: 'Fern',
    async act(page) {
      await press(page, 'Compare revision 1');
      await expect(page.getByRole('listitem').filter({ hasText: 'Greeting' }).last()).toBeVisible();
    },
  },
  knowledge: {
    route: 'agents/:agent/knowledge',
    at: ({ guide }) => `agents/${guide}/knowledge`,
    title: 'Guide',
    async act(page) {
      await press(page, 'Answer this: Are dogs welcome?');
      await page.getByText('1 remark').click();
      const rows = page.getByRole('region', { name: 'Sources' }).getByRole('listitem');
      for (const name of ['When do you open?', 'Visits', 'Rentals', 'www.fernhill.example']) {
        const row = rows.filter({ has: page.getByText(name, { exact: true }) }).first();
        const edit = row.getByRole('button', { name: `Edit ${name}` });
        // What was entered before is there already.
        await edit.or(row.getByRole('button', { name: 'Cancel' })).waitFor();
        if (await edit.isVisible()) await edit.click();
      }
      const entry = page.locator('.source-rows details').last();
      if ((await entry.getAttribute('open')) === null) await entry.locator('summary').click();
    },
  },
  'saved questions': {
    route: 'agents/:agent/questions',
    at: ({ agent }) => `agents/${agent}/questions`,
    title: 'Fern',
    async act(page) {
      await press(page, 'Ask all');
      await expect(page.getByText('We open at')).toHaveCount(4);
    },
  },
  visitors: {
    route: 'agents/:agent/visitors',
    at: ({ agent }) => `agents/${agent}/visitors`,
    title: 'Fern',
    act: (page) => page.getByText('A key pair instead').click(),
  },
  website: {
    route: 'agents/:agent/website',
    at: ({ agent }) => `agents/${agent}/website`,
    title: 'Fern',
  },
  tools: { route: 'tools', title: 'Tools' },
  'tool of an API': {
    route: 'tools/new',
    title: 'Look over tool',
    leave: (page) => press(page, 'Cancel'),
    async act(page, { shopUrl }) {
      await page.evaluate(() => void (location.hash = '#/tools/import'));
      await press(page, 'An OpenAPI document');
      await page.getByLabel('Its address').fill(`${shopUrl}/openapi.json`);
      await press(page, 'Read it');
      await page.getByLabel('Look up an order').check();
      await press(page, 'Make 1 tool');
      await expect(page.getByText('Nothing is saved yet.')).toBeVisible();
    },
  },
  'new tool': { route: 'tools/new', title: 'New tool', submit: 'Save tool' },
  tool: { route: 'tools/:tool', at: ({ tool }) => `tools/${tool}`, title: 'refund' },
  'import of a curl line': { route: 'tools/import', title: 'Import tools' },
  'operations of an API': {
    route: 'tools/import',
    title: 'Import tools',
    async act(page, { shopUrl }) {
      await press(page, 'An OpenAPI document');
      await page.getByLabel('Its address').fill(`${shopUrl}/openapi.json`);
      await press(page, 'Read it');
      await page.getByLabel('Look up an order').check();
    },
  },
  'import of an API': {
    route: 'tools/import',
    title: 'Import tools',
    act: (page) => press(page, 'An OpenAPI document'),
  },
  integrations: { route: 'integrations', title: 'Integrations' },
  'new key': {
    route: 'integrations/channels/api',
    title: 'API',
    async act(page) {
      await page.getByLabel('What it is for').first().fill('Till');
      await press(page, 'Create secret key');
      await expect(page.getByRole('article', { name: 'Till' })).toContainText('sk_');
    },
  },
  API: {
    route: 'integrations/channels/api',
    title: 'API',
    act: withWidget,
  },
  'new connection': { route: 'integrations/connections/new', title: 'Connect a service' },
  'new connection with Composio': { route: 'integrations/connections/new-composio', title: 'Use Composio' },
  'new connection for mail': {
    route: 'integrations/connections/new-mail',
    title: 'Send mail',
    submit: 'Connect',
  },
  'new calendar': { route: 'integrations/connections/new-calendar', title: 'Add a calendar' },
  connection: {
    route: 'integrations/connections/:connection',
    at: ({ mcp }) => `integrations/connections/${mcp}`,
    title: 'shop',
  },
  'connection with Composio that failed': {
    route: 'integrations/connections/:connection',
    at: ({ composio }) => `integrations/connections/${composio}`,
    title: 'gmail',
  },
  'connection for mail': {
    route: 'integrations/connections/:connection',
    at: ({ mail }) => `integrations/connections/${mail}`,
    title: 'post',
  },
  calendar: {
    route: 'integrations/connections/:connection',
    at: ({ calendar }) => `integrations/connections/${calendar}`,
    title: 'desk',
  },
  webhooks: { route: 'integrations/webhooks', title: 'Webhooks' },
  'new webhook': { route: 'integrations/webhooks/new', title: 'New webhook' },
  webhook: {
    route: 'integrations/webhooks/:webhook',
    at: ({ webhook }) => `integrations/webhooks/${webhook}`,
    title: 'Shop',
    act: (page) => page.locator('summary').filter({ hasText: 'Messages' }).last().click(),
  },
  conversations: { route: 'conversations', title: 'Conversations' },
  conversation: {
    route: 'conversations/:conversation',
    at: ({ answered }) => `conversations/${answered}`,
    title: /./,
    act: (page) => page.getByText('Events', { exact: true }).click(),
  },
  inbox: {
    route: 'inbox',
    title: 'Inbox',
    act: (page) => expect(page.getByLabel('Looked after by')).toBeVisible(),
  },
  'inbox, mine': { route: 'inbox/:view', at: () => 'inbox/mine', title: 'Inbox' },
  'inbox settings': { route: 'inbox/settings', title: 'Inbox settings' },
  'conversation that a member has': {
    route: 'inbox/:view/:conversation',
    at: ({ held }) => `inbox/all/${held}`,
    title: 'Inbox',
    act: (page) => expect(page.getByLabel('Reply to the visitor')).toBeVisible(),
  },
  'hand back': {
    route: 'inbox/:view/:conversation',
    at: ({ held }) => `inbox/all/${held}`,
    title: 'Inbox',
    async act(page) {
      await press(page, 'Hand back…');
      await expect(page.getByLabel('What the agent should know')).toBeEditable();
    },
  },
  approval: {
    route: 'inbox/:view/:conversation',
    at: ({ approval }) => `inbox/waiting/${approval}`,
    title: 'Inbox',
    act: (page) => expect(page.getByRole('button', { name: 'Approve' })).toBeVisible(),
  },
  'approval that is changed': {
    route: 'inbox/:view/:conversation',
    at: ({ approval }) => `inbox/waiting/${approval}`,
    title: 'Inbox',
    async act(page) {
      await press(page, 'Change it first');
      await expect(page.getByLabel('order')).toBeVisible();
    },
  },
  'approval that is handed on': {
    route: 'inbox/:view/:conversation',
    at: ({ approval }) => `inbox/waiting/${approval}`,
    title: 'Inbox',
    async act(page) {
      await press(page, 'Hand to…');
      await expect(page.getByLabel('Hand to', { exact: true })).toBeVisible();
    },
  },
  'question for the team': {
    route: 'inbox/:view/:conversation',
    at: ({ question }) => `inbox/waiting/${question}`,
    title: 'Inbox',
    act: (page) => expect(page.getByLabel('Answer for the agent')).toBeVisible(),
  },
  keyboard: {
    route: 'inbox',
    title: 'Inbox',
    async act(page) {
      await press(page, 'Keyboard');
      await dialog(page, 'Keyboard');
    },
  },
  contacts: { route: 'contacts', title: 'Contacts' },
  contact: {
    route: 'contacts/:contact',
    at: ({ contact }) => `contacts/${contact}`,
    title: 'ada.lovelace@example.com',
  },
  'pipeline as a board': {
    route: 'contacts/board',
    title: 'Contacts',
    act: (page) => expect(page.getByRole('link', { name: 'grace@example.com' })).toBeVisible(),
  },
  pipeline: { route: 'contacts/pipeline', title: 'Pipeline', act: (page) => press(page, 'Rename New') },
  erasure: {
    route: 'contacts/:contact',
    at: ({ toErase }) => `contacts/${toErase}`,
    title: 'somebody@example.com',
    async act(page) {
      await press(page, 'Erase');
      await dialog(page, /^Erase/);
    },
  },
  'erasure receipt': {
    route: 'contacts/:contact',
    at: ({ toErase }) => `contacts/${toErase}`,
    title: 'Everything was erased',
    async act(page) {
      await press(page, 'Erase');
      await press(page, 'Erase everything');
    },
  },
  usage: {
    route: 'usage',
    title: 'Usage',
    act: (page) => page.locator('summary').filter({ hasText: 'Prices' }).click(),
  },
  members: { route: 'members', title: 'Members', act: (page) => press(page, 'Make a link') },
  changes: {
    route: 'changes',
    title: 'Change log',
    act: (page) => page.locator('summary').first().click(),
  },
  account: { route: 'account', title: 'Your account' },
  'new passkey': {
    route: 'account',
    title: 'Your account',
    async act(page) {
      await press(page, 'Add a passkey');
      await expect(page.getByLabel('Name of the passkey')).toBeVisible();
    },
  },
  'authenticator app': {
    route: 'account',
    title: 'Your account',
    async act(page) {
      await press(page, 'Set up an authenticator app');
      await page.getByLabel('Your password').fill(password);
      await press(page, 'Continue');
      await page.getByText('Or enter it by hand').click();
    },
  },
  'session that has ended': {
    route: 'members',
    title: 'Sign in',
    async act(page) {
      await page.context().clearCookies();
      await press(page, 'Make a link');
      await dialog(page, 'Sign in');
    },
  },
};

/** Goes to a screen, from wherever the page is; `isEntered`: its form is filled in already. */
export async function enterScreen(page: Page, desk: Desk, screen: ConsoleScreen): Promise<void> {
  const { route, title, act, submit, at, isOutside, isEmpty } = screen;
  const address = `#/${at?.(desk.ids) ?? route ?? 'nowhere'}`;
  if (isOutside) {
    await page.context().clearCookies();
    await page.goto('about:blank');
    await page.goto(`${desk.url}/console${address}`);
  } else {
    await leaveScreen(page, desk);
    const organisation = page.locator('.tenant select');
    await organisation.selectOption(isEmpty ? emptyTenant : tenantName);
    await follow(page, address);
  }
  await settled(page);
  await act?.(page, desk);
  if (submit !== undefined) await press(page, submit);
  await settled(page);
  await expect(
    page.getByRole('heading', { level: 1, name: title, includeHidden: true }).first(),
  ).toBeAttached();
}

/** No screen looks like another before it because it is still there. */
async function leaveScreen(page: Page, desk: Desk): Promise<void> {
  if ((await page.getByRole('navigation', { name: 'Console', includeHidden: true }).count()) === 0) {
    await desk.signIn(page.context());
    await page.goto('about:blank');
    await page.goto(`${desk.url}/console#/nothing`);
  } else {
    const cancel = page.getByRole('dialog').filter({ has: page.locator('#confirm-title') });
    if (await cancel.isVisible()) await cancel.getByRole('button', { name: 'Cancel' }).click();
    await follow(page, '#/nothing');
  }
  await expect(page.getByRole('heading', { name: 'This cannot be shown' })).toBeVisible();
}

const follow = (page: Page, address: string) =>
  page.evaluate(async (hash) => {
    const followed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await followed;
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
  }, address);

async function settled(page: Page): Promise<void> {
  await expect(page.locator('.skeleton').filter({ visible: true })).toHaveCount(0);
  await expect(page.locator('h1').first()).toBeAttached();
}
