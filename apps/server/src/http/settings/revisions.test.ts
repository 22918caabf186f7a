import { consoleHeader } from '@parley/protocol/paths';
import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { dataOf, said, type SharedService, sharedService, Visitor } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const saying = (text: string) => ({ provider: 'scripted', script: [{ steps: [{ say: text }] }] });
const changed = (field: string, before: unknown, after: unknown) => ({ field, before, after });

/** An agent, and what automation does with its draft and revisions. */
async function drafted(fields: Record<string, unknown> = {}) {
  const agent = await service.agent([{ steps: [{ say: 'Live.' }] }], { agent: fields });
  const path = `/agents/${agent.agentId}`;
  const ask = async (method: string, rest: string, body?: unknown, status = 200) => {
    const answer = await service.settings(method, path + rest, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    return answer.body;
  };
  return { ...agent, path, ask, patchLive: (body: object) => ask('PATCH', '', body) };
}

/** Somebody who is signed in to the console, as a browser with their cookie. */
async function member(role: string, tenantId: string | null, name: string = crypto.randomUUID()) {
  const { token } = (await service.settings('POST', '/invitations', { role, tenantId })).body;
  const headers = { [consoleHeader]: '1', 'content-type': 'application/json' };
  const call = (method: string, path: string, cookie: string, body?: unknown) =>
    request(`${service.url}/api/v1/settings${path}`, {
      method,
      headers: { ...headers, cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const joined = await call('POST', '/invitations/accept', '', {
    token,
    name,
    password: 'correct horse battery',
  });
  expect(joined.status, JSON.stringify(joined.body)).toBe(201);
  const cookie = joined.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    call: (method: string, path: string, body?: unknown) => call(method, path, cookie, body),
    /** Speaks to the draft, from a page of the console. */
    async preview(agentId: string) {
      const { status, body } = await call('POST', `/agents/${agentId}/preview`, cookie);
      expect(status, JSON.stringify(body)).toBe(201);
      const visitor = new Visitor(service.url, body.key);
      visitor.headers['origin'] = service.url;
      return visitor;
    },
  };
}

const started = async (visitor: Visitor) => {
  const events = await (await visitor.start('Hello')).log(1);
  return { text: said(events).join(), ...dataOf(events, 'turn.started')[0] };
};

test('what is drafted reaches visitors when it is published, and they are told the revision', async () => {
  const { ask, visitor } = await drafted();
  expect(await started(visitor)).toMatchObject({ text: 'Live.', revision: 1 });
  const draft = await ask('PATCH', '/draft', { model: saying('Drafted.'), widget: { greeting: 'Ahoy' } });
  expect(draft).toMatchObject({
    live: 1,
    base: 1,
    conflicts: [],
    author: null,
    changes: [
      changed('widget.greeting', 'Hi! How can I help?', 'Ahoy'),
      changed('model.script', [{ steps: [{ say: 'Live.' }] }], [{ steps: [{ say: 'Drafted.' }] }]),
    ],
  });
  expect(await ask('GET', '/draft')).toEqual(draft);
  expect(await started(visitor)).toMatchObject({ text: 'Live.', revision: 1 });

  const published = await ask('POST', '/publish', { note: 'Sailors' });
  expect(published).toMatchObject({ live: 2, changes: [], changedAt: null, agent: { revision: 2 } });
  expect(await started(visitor)).toMatchObject({ text: 'Drafted.', revision: 2 });
  expect(await ask('POST', '/publish', {})).toMatchObject({ live: 2 });
  const { items } = await ask('GET', '/revisions');
  expect(items).toEqual([
    {
      revision: 2,
      at: expect.any(String),
      author: null,
      note: 'Sailors',
      fields: ['widget.greeting', 'model.script'],
    },
    { revision: 1, at: expect.any(String), author: null, note: null, fields: [] },
  ]);
  expect((await ask('GET', '/revisions?limit=1')).next).toBe('2');
});

test('a change of live is a revision too, and one of what applies at once is none', async () => {
  const { ask, patchLive } = await drafted();
  expect(await patchLive({ instructions: 'Be brief.' })).toMatchObject({ revision: 2 });
  await patchLive({ active: false, pauseMessage: 'Back on Monday.', identity: { secret: 's'.repeat(32) } });
  await patchLive({ instructions: 'Be brief.' });
  expect((await ask('GET', '')).revision).toBe(2);
  const { items } = await ask('GET', '/revisions');
  expect(items.map(({ fields }: { fields: string[] }) => fields)).toEqual([['instructions'], []]);
  await ask('PATCH', '/draft', { active: true }, 400);
});

test('changes made at once are each a revision, and none is lost', async () => {
  const { ask, patchLive } = await drafted();
  const fields = [{ instructions: 'a' }, { maxSteps: 3 }, { temperature: 0.5 }, { retentionDays: 4 }];
  await Promise.all(fields.map(patchLive));
  expect(await ask('GET', '')).toMatchObject(Object.assign({ revision: 5 }, ...fields));
});

test('a draft follows live where it changes nothing, and says what both changed', async () => {
  const { ask, patchLive } = await drafted();
  await ask('PATCH', '/draft', { instructions: 'Drafted.', widget: { greeting: 'Drafted' } });
  await patchLive({ widget: { greeting: 'Live', accent: '#0f766e' }, maxSteps: 3 });
  const draft = await ask('PATCH', '/draft', { temperature: 1 });
  expect(draft).toMatchObject({
    live: 2,
    base: 1,
    conflicts: ['widget.greeting'],
    agent: { maxSteps: 3, widget: { greeting: 'Drafted', accent: '#0f766e' } },
  });
  expect(draft.changes.map(({ field }: { field: string }) => field)).toEqual([
    'instructions',
    'widget.greeting',
    'temperature',
  ]);
  const refused = await ask('POST', '/publish', {}, 409);
  expect(refused).toMatchObject({ code: 'CONFLICT', error: expect.stringContaining('widget.greeting') });
  await ask('POST', '/publish', { live: 1 }, 409);
  const { agent } = await ask('POST', '/publish', { live: 2 });
  expect(agent).toMatchObject({ revision: 3, instructions: 'Drafted.', widget: { greeting: 'Drafted' } });
});

test('a draft that is discarded, or set back, is none', async () => {
  const { ask } = await drafted();
  await ask('PATCH', '/draft', { name: 'Other' });
  await ask('DELETE', '/draft', undefined, 204);
  expect(await ask('GET', '/draft')).toMatchObject({ changes: [], changedAt: null });
  await ask('PATCH', '/draft', { name: 'Other' });
  await ask('PATCH', '/draft', { name: 'Ada' });
  expect(await ask('POST', '/publish', {})).toMatchObject({ live: 1, changedAt: null });
});

test('a draft is changed, discarded and published as it was seen, and no other one is', async () => {
  const { ask } = await drafted();
  await ask('PATCH', '/draft', { name: 'Seen', changedAt: null });
  const { changedAt } = await ask('GET', '/draft');
  const draft = await ask('PATCH', '/draft', { instructions: 'Unseen.' });
  const refusals = await Promise.all([
    ask('PATCH', '/draft', { name: 'Other', changedAt }, 409),
    ask('PATCH', '/draft', { name: 'Other', changedAt: null }, 409),
    ask('DELETE', `/draft?changedAt=${changedAt}`, undefined, 409),
    ask('POST', '/publish', { changedAt }, 409),
  ]);
  for (const refused of refusals)
    expect(refused).toMatchObject({ code: 'CONFLICT', error: expect.stringContaining('changed meanwhile') });
  expect(await ask('GET', '/draft')).toEqual(draft);
  const last = await ask('PATCH', '/draft', { maxSteps: 3, changedAt: draft.changedAt });
  expect(await ask('POST', '/publish', { changedAt: last.changedAt })).toMatchObject({
    live: 2,
    agent: { name: 'Seen', instructions: 'Unseen.', maxSteps: 3 },
  });
  // It is gone by now.
  await ask('POST', '/publish', { changedAt: last.changedAt }, 409);
  await ask('DELETE', `/draft?changedAt=${last.changedAt}`, undefined, 409);
  const next = await ask('PATCH', '/draft', { name: 'Third', changedAt: null });
  await ask('DELETE', `/draft?changedAt=${next.changedAt}`, undefined, 204);
  await ask('DELETE', '/draft?changedAt=today', undefined, 400);
  await ask('DELETE', '/draft', undefined, 204);
});

test('a revision is compared with live and with the draft, and restored into either', async () => {
  const { ask, patchLive, visitor } = await drafted();
  await patchLive({ model: saying('Second.'), widget: { greeting: 'Second' } });
  await ask('PATCH', '/draft', { widget: { greeting: 'Third' } });
  const greeting = (after: string) => changed('widget.greeting', 'Hi! How can I help?', after);
  expect((await ask('GET', '/revisions/1')).changes).toContainEqual(greeting('Second'));
  const compared = await ask('GET', '/revisions/1?compareWith=draft');
  expect(compared).toMatchObject({ revision: 1, settings: { name: 'Ada' } });
  expect(compared.changes).toContainEqual(greeting('Third'));

  expect(await ask('POST', '/revisions/1/restore', {}, 409)).toMatchObject({ code: 'CONFLICT' });
  const draft = await ask('POST', '/revisions/1/restore', { replaceDraft: true });
  expect(draft.changes).toContainEqual(changed('widget.greeting', 'Second', 'Hi! How can I help?'));
  expect((await started(visitor)).text).toBe('Second.');
  expect(await ask('POST', '/revisions/1/restore', { to: 'live' })).toMatchObject({ live: 3, changes: [] });
  expect(await started(visitor)).toMatchObject({ text: 'Live.', revision: 3 });
  expect((await ask('GET', '/revisions')).items[0]).toMatchObject({ revision: 3, note: 'Revision 1 again' });
  for (const none of ['4', '0', 'x', '9999999999']) await ask('GET', `/revisions/${none}`, undefined, 404);
});

test('a revision is restored over the draft that was seen, and over no other one', async () => {
  const { ask, patchLive } = await drafted();
  await patchLive({ widget: { greeting: 'Second' } });
  const restore = (body: object, status?: number) => ask('POST', '/revisions/1/restore', body, status);
  const theirs = await ask('PATCH', '/draft', { instructions: 'Unseen.' });
  const before = new Date(Date.parse(theirs.changedAt) - 1).toISOString();
  for (const changedAt of [null, before])
    for (const to of ['draft', 'live'])
      expect(await restore({ to, replaceDraft: true, changedAt }, 409)).toMatchObject({
        code: 'CONFLICT',
        error: expect.stringContaining('changed meanwhile'),
      });
  expect(await ask('GET', '/draft')).toEqual(theirs);
  await restore({ replaceDraft: true, changedAt: 'today' }, 400);
  const { changedAt } = theirs;
  // It was seen, and may still not go unsaid.
  await restore({ changedAt }, 409);
  expect(await restore({ to: 'live', changedAt })).toMatchObject({ live: 3, changedAt });
  await patchLive({ widget: { greeting: 'Fourth' } });
  const restored = await restore({ replaceDraft: true, changedAt });
  expect(restored.changes).toEqual([changed('widget.greeting', 'Fourth', 'Hi! How can I help?')]);
  await ask('DELETE', '/draft', undefined, 204);
  await restore({ changedAt: restored.changedAt }, 409);
  expect((await restore({ changedAt: null })).changes).toEqual(restored.changes);
});

test('no revision has a credential, and one that is restored gets none of another place', async () => {
  const { ask, patchLive } = await drafted();
  const model = { provider: 'openai-compatible', model: 'm', baseUrl: 'https://models.example.com/v1' };
  await patchLive({ model: { ...model, apiKey: 'sk-canary-of-the-first' } });
  await ask('PATCH', '/draft', { model: { ...model, apiKey: 'sk-canary-of-the-draft' } });
  const draft = await ask('GET', '/draft');
  expect(draft.changes).toEqual([
    changed('model.apiKey', { set: true, last4: 'irst' }, { set: true, last4: 'raft' }),
  ]);
  expect((await ask('POST', '/publish', {})).agent.model.apiKey).toEqual({ set: true, last4: 'raft' });
  await patchLive({
    model: { ...model, baseUrl: 'https://elsewhere.example.com/v1', apiKey: 'sk-canary-of-another' },
  });
  const back = await ask('POST', '/revisions/2/restore', {});
  expect(back.agent.model).toEqual(model);
  const [list, one] = await Promise.all([ask('GET', '/revisions'), ask('GET', '/revisions/4')]);
  expect(JSON.stringify([list, one, draft, back])).not.toContain('canary');
});

test('a member speaks to the draft, which no key of the agent reaches', async () => {
  const { ask, agentId, tenantId, visitor, secret } = await drafted({
    identity: { secret: 's'.repeat(32), required: true },
  });
  await ask('PATCH', '/draft', { model: saying('Drafted.') });
  await ask('PATCH', '', { active: false });
  const ada = await member('agent', tenantId);
  const preview = await ada.preview(agentId);
  const session = await preview.start('Hello');
  const events = await session.log(1);
  expect(said(events)).toEqual(['Drafted.']);
  expect(dataOf(events, 'turn.started')[0]).not.toHaveProperty('revision');
  await ask('PATCH', '', { active: true, identity: { required: false } });
  expect((await started(visitor)).text).toBe('Live.');

  for (const key of [visitor, new Visitor(service.url, secret.key)]) {
    const follow = await key.follow(session.id);
    expect(follow.response.status).toBe(404);
    follow.close();
    const answer = await key.post(`/${session.id}`, { continuationToken: session.token, message: 'x' });
    expect(answer.status).toBe(404);
  }
  const live = await visitor.start('Hello');
  expect((await preview.post(`/${live.id}`, { continuationToken: live.token, message: 'x' })).status).toBe(
    404,
  );
  // The draft is for pages of the service: another page that got hold of the key is refused.
  expect((await preview.post('', { message: 'x' }, { origin: 'https://evil.example' })).body.code).toBe(
    'ORIGIN_NOT_ALLOWED',
  );
  const tampered = String(preview.headers['authorization']).replace(agentId, `${agentId}x`);
  expect((await preview.post('', { message: 'x' }, { authorization: tampered })).status).toBe(401);
});

test('who may not preview gets no key, and who leaves the console leaves the draft', async () => {
  const { agentId, tenantId } = await drafted();
  const [viewer, other] = [
    await member('viewer', tenantId),
    await member('owner', (await drafted()).tenantId),
  ];
  expect((await viewer.call('POST', `/agents/${agentId}/preview`)).status).toBe(403);
  expect((await other.call('POST', `/agents/${agentId}/preview`)).status).toBe(404);
  expect((await service.settings('POST', `/agents/${agentId}/preview`)).status).toBe(401);
  const grace = await member('admin', tenantId);
  const preview = await grace.preview(agentId);
  const session = await preview.start('Hello');
  const stream = await session.follow();
  await stream.boundaries(1);
  expect((await grace.call('DELETE', '/session')).status).toBe(204);
  await stream.rest();
  await expect.poll(async () => (await preview.post('', { message: 'x' })).status).toBe(401);
});

test('who drafts, publishes and restores is named', async () => {
  const { path, ask, tenantId } = await drafted();
  const ada = await member('admin', tenantId, `Ada ${tenantId}`);
  const by = expect.objectContaining({ name: `Ada ${tenantId}` });
  expect((await ada.call('PATCH', `${path}/draft`, { name: 'Grace' })).body.author).toEqual(by);
  await ada.call('POST', `${path}/publish`, { note: 'A better name' });
  expect((await ask('GET', '/revisions')).items[0]).toMatchObject({ author: by, note: 'A better name' });
  const { items } = (await service.settings('GET', `/audit?tenantId=${tenantId}`)).body;
  expect(items[0]).toMatchObject({
    actor: by,
    kind: 'agent',
    before: { name: 'Ada' },
    after: { name: 'Grace' },
  });
});

test('what is entered into a draft, and what goes with it, is in the log with who did it and no secret', async () => {
  const { path, agentId, tenantId } = await drafted();
  const ada = await member('admin', tenantId);
  const model = { provider: 'openai', model: 'gpt', apiKey: 'sk-canary-0123456789' };
  await ada.call('PATCH', `${path}/draft`, { name: 'Grace', model });
  await ada.call('PATCH', `${path}/draft`, { widget: { greeting: 'Good day' } });
  await ada.call('DELETE', `${path}/draft`);
  await ada.call('DELETE', `${path}/draft`);
  const { items } = (await service.settings('GET', `/audit?tenantId=${tenantId}`)).body;
  const ofDraft = items.filter(({ kind }: { kind: string }) => kind === 'draft');
  expect(ofDraft).toMatchObject([
    { action: 'deleted', before: { name: 'Grace', 'widget.greeting': 'Good day' }, after: { name: 'Ada' } },
    { action: 'updated', after: { 'widget.greeting': 'Good day' } },
    { action: 'updated', before: { name: 'Ada' }, after: { name: 'Grace', 'model.apiKey.last4': '6789' } },
  ]);
  expect(Object.keys(ofDraft[1].after)).toEqual(['widget.greeting']);
  expect(ofDraft[0]).toMatchObject({ actor: { name: expect.any(String) }, subject: { id: agentId } });
  expect(JSON.stringify(items)).not.toContain('canary');
});

test('visitors of a paused agent read why', async () => {
  const { patchLive, visitor, publishable } = await drafted();
  await patchLive({ active: false, pauseMessage: 'Back on Monday.' });
  expect((await visitor.post('', { message: 'Hello' })).body).toMatchObject({
    code: 'AGENT_INACTIVE',
    notice: 'Back on Monday.',
  });
  const config = await request(`${service.url}/v1/config?key=${publishable.key}`);
  expect(config.body).toMatchObject({ reason: 'agent-inactive', notice: 'Back on Monday.' });
});
