import { dayMs } from '../day-ms.ts';
import { fileChunkBytes } from '../file-store.ts';
import {
  delta,
  enqueueRequest,
  historyOf,
  inputRequested,
  logOf,
  naming,
  opened,
  opening,
  received,
  start,
  stepStarted,
  turnStarted,
  uploaded,
} from '../contract/samples.ts';
import { seedMembers } from '../contract/members.ts';
import { seedRevisions } from '../contract/revisions.ts';
import { seed } from '../contract/settings.ts';
import type { Store } from '../store.ts';

const quota = { scope: 'turns:key:1', windowMs: dayMs };
const tokens = { scope: 'tokens:agent:1', windowMs: dayMs };
const sessionIds = ['session_1', 'session_2', 'session_3'];
const awkward = 'ä\u2028 "\\u0000" {1,NULL} \\x00 \u{1F600}';

/** Puts rows into every table: several of each kind, and values that one engine writes otherwise than another. */
export async function fillEveryTable(store: Store): Promise<void> {
  await seed(store);
  await seedMembers(store);
  await seedRevisions(store);
  await store.settings.secretCheck.set('mark', null);
  await store.notePresence('member_1', { tenantId: 'tenant_1', sessionId: awkward, ttlMs: 99 * dayMs });
  const appointment = {
    connectionId: 'connection_1',
    name: awkward,
    email: awkward,
    note: null,
    visitor: awkward,
    conversation: awkward,
  };
  await store.bookAppointment(
    { ...appointment, id: 'appointment_1', startsAt: dayMs, endsAt: 2 * dayMs },
    99 * dayMs * 999,
  );
  await store.addContact({
    id: 'contact_1',
    tenantId: 'tenant_1',
    visitor: awkward,
    stage: 'new',
    fields: { name: { value: awkward, by: 'team' } },
    said: { name: awkward },
    createdAt: dayMs,
    seenAt: dayMs,
    revision: 3,
  });
  await store.knowledge.claimSource('source_1', { owner: awkward, ttlMs: dayMs });
  for (const place of ['first', 'second'])
    await store.knowledge.savePage({
      sourceId: 'source_1',
      agentId: 'agent_1',
      place,
      title: awkward,
      address: place === 'first' ? null : 'https://a.example/',
      language: 'de',
      version: awkward,
      reading: 1,
      passages: [
        { title: awkward, text: awkward, terms: ['milch', '牛乳', 'milch'] },
        { title: place, text: '', terms: [place] },
      ],
    });
  const lacking = await store.knowledge.listUnembedded('source_1', { model: 'model', after: '', pages: 1 });
  await store.knowledge.saveVectors('model', [
    { key: lacking.passages[0]!.key, vector: new Uint8Array([0, 10, 92, 255]) },
  ]);
  await store.saveContextWindow({ agentId: 'agent_1', modelId: 'model', tokens: 8_000, ttlMs: dayMs });
  await uploaded(store, { id: 'file_1', filename: awkward }, [
    new Uint8Array(fileChunkBytes).fill(255),
    new Uint8Array([0, 10, 92]),
  ]);
  await uploaded(store, { id: 'file_2', visitor: 'visitor' });
  for (const sessionId of sessionIds) {
    const lease = await opened(store, sessionId);
    await store.commit(lease, {
      events: [
        turnStarted(0),
        stepStarted,
        delta(awkward),
        delta(''),
        inputRequested('request_1'),
        received(awkward),
      ],
      state: { turns: 1, said: awkward, share: 0.1 },
      history: [
        { turn: 0, message: { text: awkward } },
        { turn: 1, message: [1.5, null] },
      ],
      results: [{ callId: 'call_1', result: { found: awkward } }],
      endTurns: [
        { sequence: 0, status: 'waiting', inputTokens: 7, outputTokens: 3, firstDeltaAt: 1, endedAt: 2 },
      ],
      wakeAt: 5,
      thread: { holder: null, isWaiting: true, askedOf: ['member_1'] },
      approvalMails: [
        {
          requestId: 'apr_1',
          address: awkward,
          memberId: null,
          isReminder: false,
          dueInMs: 9e12,
          endsInMs: 9e12,
        },
      ],
    });
    await store.sendCommand(sessionId, { id: `command of ${sessionId}`, kind: 'cancel', body: { awkward } });
    const question = { digest: 'milk', question: awkward, turn: 0, at: 8 };
    await store.saveQuestion({ sessionId, agentId: 'agent_1' }, question, 9);
    const member = { id: 'member_1', name: awkward };
    await store.assignThread(sessionId, member);
    await store.addNote(sessionId, { id: `note of ${sessionId}`, author: member, text: awkward, at: 7 }, 9);
    const mail = { sequence: 0, address: awkward, language: awkward, origin: awkward };
    await store.saveReadyMail(sessionId, mail, dayMs);
    await store.saveTransfer(sessionId, `transfer of ${sessionId}`, dayMs);
    const told = { webhookId: 'webhook_1', eventId: awkward, type: 'rating', body: awkward };
    await store.saveFeedback(sessionId, { turnId: 'turn_0', rating: 'up', comment: awkward, at: 9 }, [
      { ...told, id: `delivery of ${sessionId}` },
    ]);
  }
  await store.enqueue(
    enqueueRequest({
      sessionId: 'session_2',
      item: { id: 'item_2', body: { text: awkward } },
      files: naming('file_1'),
      rateLimits: [{ scope: 'turns:session_2', limit: 9, windowMs: dayMs }],
      quotas: [{ ...quota, limit: 9, amount: 2 }],
      reservation: { ...tokens, limit: 99, amount: 5 },
      idempotency: { scope: 'once', request: 'request', result: { answer: awkward }, ttlMs: dayMs },
    }),
  );
  await store.enqueue(
    enqueueRequest({
      sessionId: 'session_4',
      open: {
        ...opening,
        interface: 'chat',
        conversationId: 'ticket-1',
        conversationScope: 'secret',
        visitor: 'visitor',
      },
    }),
  );
  await store.commit(await opened(store, 'session_5'), { events: [turnStarted(0, { modelId: awkward })] });
  await store.removeSession('session_5');
}

/** What a service can read of those rows. */
export async function readEveryTable(store: Store): Promise<unknown> {
  const all = { where: {}, after: null, limit: 9 };
  const { tenants, agents, keys, tools, sources, connections, webhooks, revisions, secretCheck } =
    store.settings;
  const { members, invitations, consoleSessions, passkeys, passkeyChallenges, audit } = store.settings;
  const found = await store.knowledge.findPassages('agent_1', [{ term: '牛乳', weight: 1, leads: true }], 9);
  const chunks = [0, 1, 2].map((number) => store.files.chunk('file_1', number));
  return {
    settings: await Promise.all([
      tenants.list(all),
      agents.list(all),
      keys.list(all),
      tools.list(all),
      sources.list(all),
      connections.list(all),
      store.settings.signIns.list(all),
      webhooks.list(all),
    ]),
    knowledge: [found, await store.knowledge.getPassages(found.map(({ key }) => key))],
    people: await Promise.all([
      members.list(all),
      invitations.list(all),
      consoleSessions.list(all),
      passkeys.list(all),
    ]),
    toBeSearched: (await store.listUnsearched()).map(({ messages }) => messages),
    vectors: (
      await store.knowledge.listVectors({ agentId: 'agent_1', model: 'model' }, { after: 0, limit: 9 })
    ).map(({ key, vector }) => [key, Buffer.from(vector).toString('hex')]),
    picture: await store.settings.memberPictures.ofMember('member_1'),
    present: await store.listPresent('tenant_1', 9),
    challenged: await passkeyChallenges.take({ challenge: 'challenge_1', memberId: 'member_1' }),
    transferred: await store.takeTransfer(
      { tenantId: 'tenant_1', agentId: 'agent_1' },
      'transfer of session_1',
    ),
    audit: await audit.list({ tenantId: undefined, after: null, limit: 9 }),
    revisions: await Promise.all([revisions.get('agent_1', 2), revisions.get('agent_1', 3)]),
    drafts: await revisions.listDrafts({ after: null, limit: 9 }),
    contact: await store.getContact('contact_1'),
    appointment: await store.getAppointment('connection_1', 'appointment_1'),
    secretCheck: await secretCheck.get(),
    contextWindow: await store.getContextWindow({ agentId: 'agent_1', modelId: 'model' }),
    files: [await store.files.get('file_1'), await store.files.get('file_2')],
    bytes: (await Promise.all(chunks)).map((chunk) => chunk && Buffer.from(chunk).toString('hex')),
    sessions: await Promise.all(
      sessionIds.map(async (id) => ({
        session: await store.getSession(id),
        log: await logOf(store, id),
        history: await historyOf(store, id),
        result: await store.getCallResult(id, 'call_1'),
        queue: await store.listQueue(id),
        commands: await store.listCommands(id),
      })),
    ),
    conversation: await store.findConversation('agent_1', 'secret', 'ticket-1'),
    deliveries: await store.listDeliveries({
      webhookId: 'webhook_1',
      status: null,
      after: null,
      limit: 9,
    }),
    feedback: await store.listFeedback({ agentId: 'agent_1', after: null, limit: 9 }),
    threads: await store.getThreads(sessionIds),
    notes: await Promise.all(sessionIds.map((id) => store.listNotes(id))),
    questions: await store.listQuestions({ agentId: 'agent_1', after: null, limit: 9 }),
    unanswered: (await store.readUsage({ agentIds: ['agent_1'], from: 0, before: dayMs })).unanswered,
    used: (await store.readUsage({ agentIds: ['agent_1'], from: start, before: start + dayMs })).turns,
    turns: await store.listTurns({
      agentId: 'agent_1',
      from: 0,
      before: Number.MAX_SAFE_INTEGER,
      after: null,
      limit: 9,
    }),
    quotas: [await store.readQuota('session_1', quota), await store.readQuota('session_1', tokens)],
    repeated: await store.enqueue(
      enqueueRequest({
        sessionId: 'session_2',
        idempotency: { scope: 'once', request: 'request', result: null, ttlMs: dayMs },
      }),
    ),
    limited: (
      await store.enqueue(
        enqueueRequest({
          sessionId: 'session_2',
          rateLimits: [{ scope: 'turns:session_2', limit: 1, windowMs: dayMs }],
        }),
      )
    ).outcome,
  };
}
