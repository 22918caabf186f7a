import { dayMs } from '../day-ms.ts';
import type { EnqueueRequest } from '../queue-store.ts';
import type { Store } from '../store.ts';
import type { TurnEnd } from '../turn-store.ts';
import type { NewDelivery } from '../webhook-store.ts';
import { seed } from './settings.ts';
import { delta, enqueueRequest, opened, opening, textFile, turnStarted } from './samples.ts';

/** Tables that grow with every day, in which a scan takes longer and longer. What waits in `queue` is short. */
export const growingTables = [
  'sessions',
  'events',
  'history',
  'turns',
  'call_results',
  'idempotency',
  'feedback',
  'files',
  'file_chunks',
  'quotas',
  'admissions',
  'session_commands',
  'pages',
  'passages',
  'passage_vectors',
  'searched_messages',
  'threads',
  'unsearched_events',
  'webhook_lanes',
  'webhook_deliveries',
] as const;

const hourMs = dayMs / 24;
const sessions = 400;
/** Of them, with a lease, items that wait and commands. */
const held = 20;
const agents = 100;
const atOnce = 50;
const pages = 400;
/** Deliveries of `webhook_2` that were given up; in every session one waits for `webhook_1`. */
const givenUp = 250;

const ended: TurnEnd = {
  sequence: 0,
  status: 'completed',
  inputTokens: 10,
  outputTokens: 10,
  firstDeltaAt: null,
  endedAt: 1,
};

function message(sessionId: string, number: number): EnqueueRequest {
  const counted = { windowMs: dayMs, limit: 1e9, amount: 1 };
  return enqueueRequest({
    sessionId,
    open: {
      ...opening,
      agentId: `agent_${number % agents}`,
      visitor: number % 2 === 0 ? null : `visitor_${number % 100}`,
      ...(number % 4 === 0 && { interface: 'chat', conversationId: `c${number}`, conversationScope: 'key' }),
    },
    item: { id: `item of ${sessionId}`, body: { text: 'hello' } },
    maxQueued: 100,
    rateLimits: [{ scope: `turns:address:${number}`, limit: 1e9, windowMs: 60_000 }],
    quotas: [{ scope: `turns:session:${sessionId}`, ...counted }],
    reservation: { scope: `tokens:agent:${number % agents}`, ...counted },
    idempotency: { scope: `of ${sessionId}`, request: 'r', result: {}, ttlMs: dayMs },
  });
}

/** Somebody of the team, and somebody who is no member any more: of half of what has ended, and of some that is open. */
const member = { id: 'member_1', name: 'Grace' };
const gone = { id: 'member_0', name: 'Alan' };

const sessionOf = (number: number) => `session_${number}`;

/** Hundreds or thousands of rows in each growing table, through the port. */
export async function fill(store: Store): Promise<void> {
  for (let from = 0; from < sessions; from += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => fillSession(store, from + offset)));
  await seed(store);
  const joined = { passwordHash: 'x', secondFactor: null, createdAt: new Date(0).toISOString() };
  await store.settings.members.insert({
    ...joined,
    ...member,
    tenantId: null,
    signInName: 'grace',
    role: 'agent',
  });
  await failDeliveries(store);
  for (let from = 0; from < pages; from += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, offset) => savePage(store, from + offset)));
}

const delivery = (id: string, webhookId: string): NewDelivery => ({
  id,
  webhookId,
  eventId: id,
  type: 'message',
  body: '{}',
});

async function failDeliveries(store: Store): Promise<void> {
  const lease = await opened(store, 'session_of_webhook_2');
  const ids = Array.from({ length: givenUp }, (_, n) => `given up ${n}`);
  await store.commit(lease, { events: [], deliveries: ids.map((id) => delivery(id, 'webhook_2')) });
  const claim = { leaseMs: dayMs, limit: 1, except: { webhooks: ['webhook_1'], tenants: [] } };
  const [lane] = await store.claimLanes(claim);
  if (!lane) throw new Error('Nothing is due.');
  const attempt = { attemptedAt: 1, httpStatus: 500, durationMs: 1, response: null, problem: 'No.' };
  const result = { ...attempt, status: 'failed', attempts: 9 } as const;
  await Promise.all(ids.map((id) => store.settleDelivery(lane, id, result, { heldForMs: dayMs })));
}

function savePage(store: Store, number: number): Promise<boolean> {
  const terms = ['milk', `word${number % 20}`, `rare${number}`];
  return store.knowledge.savePage({
    sourceId: 'source_1',
    agentId: 'agent_1',
    place: `page ${number}`,
    title: 'Page',
    address: null,
    language: null,
    version: null,
    reading: number,
    passages: [1, 2].map(() => ({ title: 'Page', text: 'Text', terms })),
  });
}

async function fillSession(store: Store, number: number): Promise<void> {
  const id = sessionOf(number);
  const accepted = await store.enqueue(message(id, number));
  if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
  await store.commit(accepted.leased.lease, {
    events: [turnStarted(0, { startedAt: number }), ...Array.from({ length: 5 }, () => delta('word '))],
    history: [1, 2].map(() => ({ turn: 0, message: { text: 'hello' } })),
    results: [{ callId: `call of ${id}`, result: {} }],
    endTurns: [ended],
    consume: [0],
    deliveries: [delivery(`delivery of ${id}`, 'webhook_1')],
    thread: { holder: number < held || number % 2 === 0 ? gone : member, isWaiting: false },
    release: number >= held,
  });
  await store.saveFeedback(id, { turnId: 'turn_0', rating: 'up', comment: null, at: 1 });
  const file = `file of ${id}`;
  await store.files.begin({ ...textFile, id: file }, { quotas: [], ttlMs: dayMs });
  await store.files.append(file, Buffer.from('hello'), { quotas: [] });
  if (number < held) {
    for (let n = 0; n < 10; n += 1) {
      const { open: _, idempotency: _key, ...more } = message(id, number);
      const item = { id: `item ${n} of ${id}`, body: {} };
      if (n < 2) await store.enqueue({ ...more, idempotency: null, item });
      await store.sendCommand(id, { id: `command ${n} of ${id}`, kind: 'cancel', body: {} });
    }
  } else if (number % 2 === 0) await store.endSession(id, { events: [], status: 'completed' });
}

const page = { after: null, limit: 20 };

/** What a turn, a sweep, a recheck or a list asks of the store, for the `n`th time. */
export const hotCalls: Readonly<Record<string, (store: Store, n: number) => Promise<unknown>>> = {
  'a message that opens a session': (store, n) => store.enqueue(message(`new_${n}`, n)),
  'a message that opens a conversation': (store, n) => store.enqueue(message(`new_chat_${n}`, 5_000 + n * 4)),
  'a message to a session': (store, n) =>
    store.enqueue({ ...message(sessionOf(201 + 2 * n), 201 + 2 * n), idempotency: null }),
  'a message that is repeated': (store, n) => store.enqueue(message(sessionOf(300 + n), 300 + n)),
  'a turn': async (store, n) => {
    const lease = await opened(store, `turn_${n}`);
    await store.commit(lease, { events: [turnStarted(0)], state: {} });
    await store.commit(lease, { events: [delta('a'), delta('b')] });
    const call = { callId: `call_${n}`, result: {} };
    await store.commit(lease, { events: [delta('c')], results: [call] });
    await store.commit(lease, {
      events: [delta('d')],
      dropResults: [call.callId],
      history: [{ turn: 0, message: {} }],
      retract: [0],
      endTurns: [ended],
      settleTurns: [0],
      spend: [{ scope: 'spent', windowMs: dayMs, amount: 1 }],
      meter: { scope: 'spent', windowMs: dayMs },
      consume: [0],
      state: {},
      wakeAt: null,
    });
    await store.releaseLease(lease);
  },
  'a lease': async (store, n) => {
    const lease = await store.acquireLease(sessionOf(221 + 2 * n), { owner: 'another', leaseMs: 1_000 });
    if (!lease) throw new Error('held');
    await store.releaseLease(lease);
  },
  'leases that are renewed': (store) => store.renewLeases({ owner: 'nobody', leaseMs: 1_000 }),
  'what may be run': (store) => store.listRunnable({ owner: 'runner', limit: 20 }),
  'a queue': (store, n) => store.listQueue(sessionOf(n)),
  'what is of a kind in a queue': (store, n) => store.listQueue(sessionOf(n), 'whisper'),
  'an item of a queue': (store, n) => store.isQueued(sessionOf(n), `item_${n}`),
  'the next item of a queue': (store, n) => store.nextItem(sessionOf(n), ['take-over', 'whisper']),
  'a command and its outcome': async (store, n) => {
    await store.sendCommand(sessionOf(n), { id: `sent ${n}`, kind: 'cancel', body: {} });
    await store.getCommandOutcome(`sent ${n}`);
  },
  'the commands of a session': (store, n) => store.listCommands(sessionOf(n)),
  'the commands of an owner': (store) => store.listHeldCommands({ owner: 'nobody', limit: 20 }),
  'a log': (store, n) => store.readEvents(sessionOf(n), 2, 20),
  'input requests of a log': (store, n) => store.listInputRequests(sessionOf(n), 1_000, 20),
  'a session': (store, n) => store.getSession(sessionOf(n)),
  'a recheck': (store) => store.listSessionHeads(Array.from({ length: 20 }, (_, n) => sessionOf(n * 7))),
  'a conversation': (store, n) => store.findConversation(`agent_${(n * 4) % agents}`, 'key', `c${n * 4}`),
  'a history': (store, n) => store.readHistory(sessionOf(n), { afterTurn: -1, from: null }),
  'the result of a call': (store, n) => store.getCallResult(sessionOf(n), `call of session_${n}`),
  'a quota': (store, n) => store.readQuota(sessionOf(n), { scope: 'tokens:agent:1', windowMs: dayMs }),
  'the sweep of idle sessions': (store) => store.listIdle({ agentId: 'agent_1', idleMs: dayMs, limit: 20 }),
  'the sweep of open sessions of agents that are gone': (store, n) =>
    store.listIdle({ agentId: null, idleMs: dayMs + n, limit: 20 }),
  'the sweep of ended sessions': (store) => store.listEnded({ agentId: 'agent_2', idleMs: dayMs, limit: 20 }),
  'the sweep of unused files': (store) => store.files.expire(),
  'a file': async (store, n) => {
    await store.files.get(`file of session_${n}`);
    await store.files.chunk(`file of session_${n}`, 0);
  },
  'a search': async (store, n) => {
    await store.knowledge.countTerms('agent_1', ['word3', `rare${n}`], 20);
    const terms = [{ term: `rare${n}`, weight: 2, leads: true }];
    const found = await store.knowledge.findPassages('agent_1', terms, 20);
    await store.knowledge.getPassages(found.map(({ key }) => key));
  },
  'a page that is read again': (store, n) => savePage(store, n),
  'passages without vectors': (store) =>
    store.knowledge.listUnembedded('source_1', { model: 'model', after: 'page 3', pages: 20 }),
  'vectors of passages': (store, n) =>
    store.knowledge.saveVectors('model', [{ key: n + 1, vector: new Uint8Array(8) }]),
  'the vectors of an agent': (store) =>
    store.knowledge.listVectors({ agentId: 'agent_1', model: 'model' }, { after: 3, limit: 20 }),
  'a page that is as it was': (store, n) => store.knowledge.keepPage('source_1', `page ${n}`, n),
  'the places of a source': (store) => store.knowledge.listPlaces('source_1', { after: 'page 3', limit: 20 }),
  'the last reading of a source': (store) => store.knowledge.getLastReading('source_1'),
  'pages that are gone': (store) => store.knowledge.removePages('source_1', { reading: 0, limit: 20 }),
  'the turns of an agent': (store) => store.listTurns({ agentId: 'agent_3', from: 0, before: 1e15, ...page }),
  'the turns of an agent that wait': (store) =>
    store.listTurns({ agentId: 'agent_3', waiting: true, from: 0, before: 1e15, ...page }),
  'conversations of two agents': (store) =>
    store.listConversations({
      agentIds: ['agent_3', 'agent_5'],
      rating: 'up',
      from: 0,
      before: 1e15,
      maxLookedAt: 15,
      ...page,
    }),
  'what was said and is not findable': (store) => store.listUnsearched(),
  'what was said becomes findable': (store, n) =>
    store.saveSearched([{ session: n, first: 0, last: 9, until: 5, messages: [] }]),
  'conversations by words': (store) =>
    store.findConversations({
      tenantId: 'tenant_1',
      agentIds: ['agent_3', 'agent_5'],
      words: { terms: ['milk'], beginning: 'bre' },
      rating: 'up',
      from: 0,
      before: 1e15,
      maxLookedAt: 15,
      maxMessages: 15,
      ...page,
      after: '5',
    }),
  'conversations that wait': (store) =>
    store.listConversations({
      agentIds: ['agent_3'],
      status: 'waiting',
      from: 0,
      before: 1e15,
      maxLookedAt: 15,
      ...page,
    }),
  'conversations that wait for the team': (store) =>
    store.listThreads({ agentIds: ['agent_3', 'agent_5'], of: 'waiting', ...page }),
  'the sweep of what is held by nobody of the team': (store) =>
    store.listAbandonedThreads({ ...page, limit: 50 }),
  'the sweep of what nobody of the team looks after': (store) => store.unassignFormerMembers(20),
  'a conversation by its id': (store, n) => store.getConversation(sessionOf(n)),
  'the turns of a session': (store, n) => store.listTurnsOf(sessionOf(n), page),
  'the usage of a day': (store) =>
    store.readUsage({ agentIds: ['agent_3', 'agent_5'], from: 2, before: 400 }),
  'the sessions of a visitor': (store) =>
    store.listVisitorSessions({
      tenantId: opening.tenantId,
      agentId: 'agent_1',
      visitor: 'visitor_1',
      ...page,
    }),
  'the feedback on an agent': (store) => store.listFeedback({ agentId: 'agent_3', ...page }),
  'the feedback in a session': (store, n) => store.listSessionFeedback({ sessionId: sessionOf(n), ...page }),
  feedback: (store, n) =>
    store.saveFeedback(sessionOf(n), { turnId: 'turn_9', rating: 'down', comment: null, at: 1 }),
  'a session that is ended': (store, n) =>
    store.endSession(sessionOf(241 + 2 * n), { events: [delta('over')], status: 'completed' }),
  'webhooks with something due, but for one that has much': (store) =>
    store.claimLanes({
      leaseMs: dayMs,
      limit: 16,
      except: { webhooks: ['webhook_1'], tenants: ['tenant_9'] },
    }),
  'a webhook that has much due': (store) =>
    store.claimLanes({ leaseMs: dayMs, limit: 16, except: { webhooks: [], tenants: [] } }),
  'webhooks that are gone': (store) => store.listRemovedWebhooks(20),
  'what a webhook was told': (store) =>
    store.listDeliveries({ webhookId: 'webhook_1', status: null, ...page }),
  'what was given up since': (store, n) =>
    store.listFailed({ webhookId: 'webhook_2', since: 1e15 + n, limit: 20 }),
  'a delivery and its outcome': async (store, n) => {
    const except = { webhooks: ['webhook_2'], tenants: [] };
    const [lane] = await store.claimLanes({ leaseMs: dayMs + n, limit: 1, except });
    const due = lane && (await store.nextDelivery(lane));
    if (!due) throw new Error('Nothing is due.');
    const attempt = { attemptedAt: n, httpStatus: 500 + n, durationMs: n, response: null, problem: 'No.' };
    const result = { ...attempt, status: 'waiting', attempts: n } as const;
    await store.settleDelivery(lane, due.id, result, { heldForMs: n });
    await store.releaseLane(lane, dayMs + n);
    await store.finishLane(lane);
    await store.expireDeliveries({ olderThanMs: dayMs + n, limit: 20 });
    await store.listDeliveries({ webhookId: 'webhook_1', status: null, ...page, after: String(n + 1) });
  },
  'a mail about an approval': async (store, n) => {
    const mail = { requestId: 'apr', address: 'a@example.com', memberId: null, isReminder: false };
    const lease = await opened(store, `asks_${n}`);
    await store.commit(lease, { events: [], approvalMails: [{ ...mail, dueInMs: 0, endsInMs: dayMs }] });
    const claim = { leaseMs: dayMs + n, limit: 1, exceptTenants: [] };
    const [claimed] = await store.claimApprovalMails(claim);
    if (!claimed) throw new Error('Nothing is due.');
    await store.postponeApprovalMail(claimed, { dueInMs: dayMs + n, wasTried: true });
    await store.removeApprovalMail(claimed);
  },
  'a mail about an answer': async (store, n) => {
    const mail = { sequence: n, address: 'a@example.com', language: 'en', origin: null };
    await store.saveReadyMail(sessionOf(281 + 2 * n), mail, dayMs + n);
    const [claimed] = await store.claimReadyMails({ leaseMs: dayMs + n, limit: 1, exceptTenants: [] });
    if (!claimed) throw new Error('Nothing is due.');
    await store.postponeReadyMail(claimed.id, dayMs + n);
    await store.returnReadyMail(claimed.id, { dueInMs: dayMs + n, wasTried: true });
  },
  'a contact': async (store, n) => {
    const contact = {
      id: `contact_${n}`,
      tenantId: 'tenant_1',
      visitor: `v${n}`,
      stage: '',
      fields: {},
      said: {},
    };
    const record = { ...contact, createdAt: n, seenAt: n, revision: n };
    await store.addContact(record);
    await store.noteSeen(record.id, 1_000 + n);
    await store.changeContact(record);
    const contacts = { tenantId: 'tenant_1', stage: null, search: null, maxLookedAt: 20, ...page };
    await store.listContacts({ ...contacts, after: `${n}.contact` });
    const unseen = { tenantId: 'tenant_1', unseenSince: n, ...page };
    await store.listUnseenContacts({ ...unseen, after: `${n}.contact` });
    await store.beginErasure(record.id, null, n);
    await store.claimErasure(dayMs + n);
    await store.listSessionsOf({ tenantId: 'tenant_1', visitor: 'v' }, { ...page, after: `${n}.session` });
  },
  'an appointment': async (store, n) => {
    const time = (hours: number) => ({ startsAt: hours * hourMs, endsAt: (hours + 1) * hourMs });
    const booked = {
      id: `appointment_${n}`,
      connectionId: 'connection_1',
      name: 'Ada',
      email: null,
      note: null,
    };
    const appointment = { ...booked, visitor: null, conversation: null, ...time(1e6 + 4 * n) };
    await store.bookAppointment(appointment, dayMs * 1e6);
    await store.moveAppointment('connection_1', booked.id, time(1e6 + 4 * n + 2));
  },
  'a sign-in that is renewed': (store, n) => store.settings.signIns.claimRefresh('sign_in_1', n, dayMs + n),
  'a session that is removed': (store, n) => store.removeSession(sessionOf(261 + 2 * n)),
};
