import { expect, test } from 'vitest';
import { automationId } from '../inbox-store.ts';
import type { Lease } from '../lease-store.ts';
import type { Store } from '../store.ts';
import { enqueueRequest, opening, received, start, turnStarted, type TestClock } from './samples.ts';

const grace = { id: 'member_1', name: 'Grace' };
const alan = { id: 'member_2', name: 'Alan' };
const agentIds = ['agent_1'];

export function testInbox(store: () => Store, clock: TestClock): void {
  async function open(
    sessionId: string,
    agentId = 'agent_1',
    tenantId: string = opening.tenantId,
  ): Promise<Lease> {
    const request = enqueueRequest({ sessionId, open: { ...opening, agentId, tenantId } });
    const accepted = await store().enqueue(request);
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    return accepted.leased.lease;
  }

  const list = async (of: 'waiting' | { memberId: string }, after: string | null = null, limit = 10) => {
    const page = await store().listThreads({ agentIds, of, after, limit });
    return { ids: page.items.map(({ sessionId }) => sessionId), next: page.next };
  };

  test('who answers, and since when the visitor waits for them, is written with the commit that says so', async () => {
    const lease = await open('first');
    expect(await store().getThreads(['first'])).toEqual([]);
    await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: true } });
    clock.now = start + 10;
    await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: true } });
    const held = {
      sessionId: 'first',
      holder: grace,
      assignee: grace,
      waitingSince: start,
      askedOf: null,
      askedOfIds: [],
      notes: 0,
    };
    expect(await store().getThreads(['first', 'absent'])).toEqual([held]);
    await store().commit(lease, { events: [], thread: { holder: null, isWaiting: false } });
    // Whoever took it over looks after it, also when the agent answers again.
    expect(await store().getThreads(['first'])).toEqual([{ ...held, holder: null, waitingSince: null }]);
    await expect(
      store().commit(
        { ...lease, epoch: lease.epoch - 1 },
        { events: [], thread: { holder: alan, isWaiting: true } },
      ),
    ).rejects.toThrow();
    expect(await store().getThreads(['first'])).toMatchObject([{ holder: null }]);
  });

  test('whom a conversation was assigned to looks after it until somebody else takes it over', async () => {
    const lease = await open('first');
    const assignee = async () => (await store().getThreads(['first']))[0]?.assignee;
    await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: false } });
    await store().assignThread('first', alan);
    // The visitor writes, the member who holds it replies, and the agent answers again.
    for (const thread of [
      { holder: grace, isWaiting: true },
      { holder: grace, isWaiting: false },
      { holder: null, isWaiting: false },
    ]) {
      await store().commit(lease, { events: [], thread });
      expect(await assignee()).toEqual(alan);
    }
    await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: false } });
    expect(await assignee()).toEqual(grace);
    await store().assignThread('first', null);
    await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: true } });
    expect(await assignee()).toBe(null);
  });

  test('what a member has done is in the log of changes with the commit that does it, or not at all', async () => {
    const lease = await open('first');
    const entry = {
      at: start,
      tenantId: null,
      actor: grace,
      action: 'updated',
      kind: 'approval',
      subject: { id: 'first', name: 'refund' },
      before: null,
      after: { answer: 'approve' },
    } as const;
    const late = { ...lease, epoch: lease.epoch - 1 };
    await expect(store().commit(late, { events: [], audit: [entry] })).rejects.toThrow();
    // A tenant may be removed meanwhile, which must not fail what its sessions write.
    const ofNobody = { ...entry, tenantId: 'removed' };
    await store().commit(lease, { events: [], audit: [entry, ofNobody, { ...entry, actor: null }] });
    const { items } = await store().settings.audit.list({ tenantId: undefined, after: null, limit: 10 });
    expect(items).toEqual([{ ...entry, actor: null }, entry]);
  });

  test('whoever is to be written to of an approval is, by one process at a time, once it is due', async () => {
    const lease = await open('first');
    const mail = {
      requestId: 'apr_1',
      address: 'a@example.com',
      memberId: null,
      isReminder: false,
      dueInMs: 0,
      endsInMs: 60_000,
    };
    const later = { ...mail, memberId: grace.id, isReminder: true, dueInMs: 1_000 };
    const late = { ...lease, epoch: lease.epoch - 1 };
    await expect(store().commit(late, { events: [], approvalMails: [mail] })).rejects.toThrow();
    await store().commit(lease, { events: [], approvalMails: [later, mail] });
    const claim = (exceptTenants: readonly string[] = []) =>
      store().claimApprovalMails({ leaseMs: 5_000, limit: 10, exceptTenants });
    const { dueInMs: _, ...first } = mail;
    // About the same request a mailbox has one mail that waits, and one reminder.
    const repeated = [mail, { ...mail, dueInMs: 9_000 }];
    await store().commit(lease, { events: [], approvalMails: [...repeated, { ...later, dueInMs: 9_000 }] });
    const claimed = await Promise.all([claim(), claim()]);
    expect(claimed.flat()).toEqual([
      {
        ...first,
        key: expect.any(Number),
        leasedUntil: start + 5_000,
        sessionId: 'first',
        tenantId: opening.tenantId,
        attempts: 1,
      },
    ]);
    clock.now = start + 1_000;
    const [reminder] = await claim();
    expect(reminder).toMatchObject({ memberId: grace.id, isReminder: true });
    await store().removeApprovalMail(reminder!);
    clock.now = start + 4_000;
    expect(await claim()).toEqual([]);
    clock.now = start + 5_000;
    const [again, ...none] = await claim();
    expect(none).toEqual([]);
    expect(again).toMatchObject({ address: 'a@example.com', attempts: 2, endsInMs: 55_000 });
    await store().postponeApprovalMail(again!, { dueInMs: 50_000, wasTried: false });
    clock.now = start + 54_000;
    expect(await claim()).toEqual([]);
    clock.now = start + 55_000;
    const [third] = await claim();
    expect(third).toMatchObject({ attempts: 2 });
    await store().postponeApprovalMail(third!, { dueInMs: 10_000, wasTried: true });
    clock.now = start + 64_000;
    expect(await claim()).toEqual([]);
    // Asked again while it is handed over, it is handed over again.
    clock.now = start + 65_000;
    const [overtaken] = await claim();
    await store().commit(lease, { events: [], approvalMails: [mail] });
    await store().removeApprovalMail(overtaken!);
    await store().postponeApprovalMail(overtaken!, { dueInMs: 50_000, wasTried: true });
    const [asked] = await claim();
    expect(asked).toMatchObject({ key: overtaken!.key });
    await store().postponeApprovalMail(asked!, { dueInMs: 500, wasTried: true });
    await store().removeSession('first');
    clock.now = start + 66_000;
    expect(await claim()).toEqual([]);
    // One of each tenant at a time, and none of those that are named: who has many holds up nobody.
    const due = ['apr_1', 'apr_2', 'apr_3'].map((requestId) => ({ ...mail, requestId, dueInMs: -1_000 }));
    await store().commit(await open('second'), { events: [], approvalMails: due });
    const other = await open('third', 'agent_9', 'tenant_2');
    await store().commit(other, { events: [], approvalMails: [mail] });
    const sessions = async (exceptTenants: readonly string[] = []) =>
      (await claim(exceptTenants)).map(({ sessionId }) => sessionId).toSorted();
    expect(await sessions()).toEqual(['second', 'third']);
    expect(await sessions([opening.tenantId])).toEqual([]);
    expect(await sessions(['tenant_2'])).toEqual(['second']);
  });

  test('what somebody holds who is no member any more, or may only look, is found while it is open', async () => {
    const joined = { passwordHash: 'x', secondFactor: null, createdAt: new Date(start).toISOString() };
    const of = { ...joined, tenantId: null };
    const viewer = { id: 'member_3', name: 'Edith' };
    await store().settings.members.insert({ ...of, ...grace, signInName: 'grace', role: 'agent' });
    await store().settings.members.insert({ ...of, ...viewer, signInName: 'edith', role: 'viewer' });
    const holders = {
      a: grace,
      b: alan,
      c: viewer,
      d: { id: automationId, name: 'The team' },
      e: alan,
      f: null,
    };
    for (const [id, holder] of Object.entries(holders)) {
      const lease = await open(id);
      await store().commit(lease, {
        events: [],
        thread: { holder, isWaiting: false },
        ...(id === 'e' && { status: 'completed' }),
      });
    }
    const abandoned = (after: string | null, limit: number) => store().listAbandonedThreads({ after, limit });
    expect(await abandoned(null, 10)).toEqual({ items: ['b', 'c'], next: null });
    const first = await abandoned(null, 1);
    expect(first.items).toEqual(['b']);
    expect(await abandoned(first.next, 1)).toEqual({ items: ['c'], next: null });
  });

  test('where a conversation has ended nobody answers, and nobody waits', async () => {
    const thread = { holder: alan, isWaiting: true };
    await store().commit(await open('by its turn'), { events: [], thread, status: 'failed' });
    const lease = await open('by nobody');
    await store().commit(lease, { events: [], thread, consume: [0], release: true });
    expect(await store().getThreads(['by nobody'])).toMatchObject([{ holder: alan, waitingSince: start }]);
    await store().endSession('by nobody', { events: [], status: 'completed' });
    const threads = await store().getThreads(['by its turn', 'by nobody']);
    const nobody = { holder: null, assignee: alan, waitingSince: null };
    expect(threads).toMatchObject([nobody, nobody]);
  });

  test('what somebody looks after who is no member any more, or may only look, is nobody’s again, page by page', async () => {
    const joined = { passwordHash: 'x', secondFactor: null, createdAt: new Date(start).toISOString() };
    const of = { ...joined, tenantId: null };
    const viewer = { id: 'member_3', name: 'Edith' };
    await store().settings.members.insert({ ...of, ...grace, signInName: 'grace', role: 'agent' });
    await store().settings.members.insert({ ...of, ...viewer, signInName: 'edith', role: 'agent' });
    const assignees = { a: grace, b: alan, c: alan, d: alan, e: null, f: viewer };
    for (const [id, assignee] of Object.entries(assignees)) {
      await open(id);
      await store().assignThread(id, assignee);
    }
    const unassign = async () => (await store().unassignFormerMembers(2)).toSorted();
    const first = await unassign();
    const second = await unassign();
    expect([first.length, [...first, ...second].toSorted()]).toEqual([2, ['b', 'c', 'd']]);
    expect(await unassign()).toEqual([]);
    await store().settings.members.update(viewer.id, { role: 'viewer' });
    expect(await unassign()).toEqual(['f']);
    expect(await unassign()).toEqual([]);
    const threads = await store().getThreads(Object.keys(assignees));
    expect(threads.filter(({ assignee }) => assignee !== null)).toMatchObject([
      { sessionId: 'a', assignee: grace },
    ]);
  });

  test('the longest wait stands first, one’s own last change first, and neither of other agents or ended', async () => {
    const leases = {
      a: await open('a'),
      b: await open('b'),
      c: await open('c'),
      d: await open('d', 'agent_2'),
    };
    for (const lease of Object.values(leases)) {
      clock.now += 1;
      await store().commit(lease, { events: [], thread: { holder: grace, isWaiting: true } });
    }
    expect(await list('waiting')).toEqual({ ids: ['a', 'b', 'c'], next: null });
    const first = await list('waiting', null, 2);
    expect(first.ids).toEqual(['a', 'b']);
    expect(await list('waiting', first.next, 2)).toEqual({ ids: ['c'], next: null });
    expect(await store().assignThread('b', alan)).toBe(true);
    expect(await list({ memberId: grace.id })).toEqual({ ids: ['c', 'a'], next: null });
    const own = await list({ memberId: grace.id }, null, 1);
    expect(await list({ memberId: grace.id }, own.next, 1)).toEqual({ ids: ['a'], next: null });
    await store().commit(leases.a, { events: [], status: 'completed' });
    expect((await list('waiting')).ids).toEqual(['b', 'c']);
    expect(await store().assignThread('b', null)).toBe(true);
    expect(await store().assignThread('absent', alan)).toBe(false);
    expect((await list({ memberId: alan.id })).ids).toEqual([]);
    expect(await store().listThreads({ agentIds: [], of: 'waiting', after: null, limit: 1 })).toEqual({
      items: [],
      next: null,
    });
  });

  test('what waits for somebody whom it was handed to is among their own until it waits no more', async () => {
    const edith = { id: 'member_3', name: 'Edith' };
    const member = {
      passwordHash: 'x',
      secondFactor: null,
      createdAt: new Date(start).toISOString(),
      tenantId: null,
    };
    await store().settings.members.insert({ ...member, ...alan, signInName: 'alan', role: 'agent' });
    await store().settings.members.insert({ ...member, ...edith, signInName: 'edith', role: 'viewer' });
    const leases = { a: await open('a'), b: await open('b'), c: await open('c', 'agent_2') };
    for (const lease of Object.values(leases)) {
      clock.now += 1;
      await store().commit(lease, {
        events: [],
        thread: { holder: null, isWaiting: true, askedOf: [alan.id] },
      });
    }
    expect(await store().getThreads(['a'])).toMatchObject([{ askedOf: alan, assignee: null }]);
    await store().commit(leases.c, {
      events: [],
      thread: { holder: null, isWaiting: true, askedOf: [edith.id] },
    });
    expect(await store().getThreads(['c'])).toMatchObject([{ askedOf: null }]);
    clock.now += 1;
    await store().assignThread('a', alan);
    // What is theirs in both ways stands there once.
    const first = await list({ memberId: alan.id }, null, 1);
    expect(first.ids).toEqual(['a']);
    expect(await list({ memberId: alan.id }, first.next, 1)).toEqual({ ids: ['b'], next: null });
    await store().commit(leases.b, { events: [], thread: { holder: null, isWaiting: true } });
    expect(await store().getThreads(['b'])).toMatchObject([{ askedOf: null }]);
    expect((await list({ memberId: alan.id })).ids).toEqual(['a']);
    await store().commit(leases.b, {
      events: [],
      thread: { holder: null, isWaiting: true, askedOf: [alan.id] },
    });
    expect((await list({ memberId: alan.id })).ids).toEqual(['b', 'a']);
    await store().commit(leases.b, {
      events: [],
      thread: { holder: null, isWaiting: false, askedOf: [alan.id] },
    });
    expect(await store().getThreads(['b'])).toMatchObject([{ askedOf: null }]);
    expect((await list({ memberId: alan.id })).ids).toEqual(['a']);
    // Two things that are asked of two are among the own of both, and each reads of whom theirs is asked.
    await store().settings.members.update(edith.id, { role: 'agent' });
    const both = { holder: null, isWaiting: true, askedOf: [edith.id, alan.id] };
    await store().commit(leases.b, { events: [], thread: both });
    for (const { id, name } of [alan, edith]) {
      const own = { agentIds: ['agent_1'], of: { memberId: id }, after: null, limit: 9 };
      const { items } = await store().listThreads(own);
      expect(items.find(({ sessionId }) => sessionId === 'b')).toMatchObject({ askedOf: { id, name } });
    }
    const [thread] = await store().getThreads(['b']);
    expect(thread).toMatchObject({ askedOf: edith });
    expect(thread?.askedOfIds.toSorted()).toEqual([alan.id, edith.id]);
    // Also where they are looked for by words.
    await store().commit(leases.b, { events: [turnStarted(0), received('milk')] });
    const ranges = await store().listUnsearched();
    await store().saveSearched(
      ranges.map((range) => ({
        ...range,
        messages: range.messages.map(({ index, text }) => ({ index, terms: [text] })),
      })),
    );
    const found = async (memberId: string) => {
      const { items } = await store().findConversations({
        tenantId: opening.tenantId,
        agentIds,
        words: { terms: ['milk'], beginning: null },
        inbox: { memberId },
        from: 0,
        before: Number.MAX_SAFE_INTEGER,
        after: null,
        limit: 9,
        maxLookedAt: 9,
        maxMessages: 9,
      });
      return items.map(({ id }) => id);
    };
    expect(await Promise.all([alan, edith, grace].map(({ id }) => found(id)))).toEqual([['b'], ['b'], []]);
    // Nothing names a member who is gone.
    await store().settings.members.remove(edith.id);
    expect(await store().getThreads(['b'])).toMatchObject([{ askedOf: null, askedOfIds: [alan.id] }]);
    await store().commit(leases.b, { events: [], thread: { ...both, isWaiting: false } });
    expect(await store().getThreads(['b'])).toMatchObject([{ askedOfIds: [] }]);
    expect(await found(alan.id)).toEqual([]);
  });

  test('conversations that nobody looks after are found among those of the Sessions interface', async () => {
    const all = {
      agentIds,
      from: 0,
      before: Number.MAX_SAFE_INTEGER,
      after: null,
      limit: 10,
      maxLookedAt: 100,
    };
    const ids = async (inbox: 'all' | 'unassigned') =>
      (await store().listConversations({ ...all, inbox })).items.map(({ id }) => id);
    for (const [place, sessionId] of ['a', 'b'].entries())
      await store().commit(await open(sessionId), { events: [turnStarted(0, { startedAt: start + place })] });
    const chat = { ...opening, interface: 'chat', conversationId: 'c', conversationScope: 's' } as const;
    const accepted = await store().enqueue(enqueueRequest({ sessionId: 'chat', open: chat }));
    if (accepted.outcome !== 'accepted' || !accepted.leased) throw new Error(accepted.outcome);
    await store().commit(accepted.leased.lease, { events: [turnStarted(0)] });
    expect(await ids('all')).toEqual(['b', 'a']);
    await store().assignThread('b', grace);
    expect(await ids('unassigned')).toEqual(['a']);
    const found = await store().getConversations(['a', 'chat', 'absent']);
    expect(found.map(({ id }) => id).toSorted()).toEqual(['a', 'chat']);
  });

  test('notes stay in order, have a maximum and go with the session', async () => {
    await open('first');
    const note = (id: string, author = grace) => ({ id, author, text: `Note ${id}`, at: start });
    expect(await store().addNote('absent', note('0'), 2)).toBe('missing');
    expect(await store().addNote('first', note('1'), 2)).toBe('added');
    expect(await store().addNote('first', note('2', alan), 2)).toBe('added');
    expect(await store().addNote('first', note('3'), 2)).toBe('full');
    expect(await store().listNotes('first')).toEqual([note('1'), note('2', alan)]);
    expect(await store().getThreads(['first'])).toMatchObject([{ notes: 2, holder: null }]);
    await store().removeNote('elsewhere', '1');
    await store().removeNote('first', '2');
    expect(await store().listNotes('first')).toEqual([note('1')]);
    await store().removeSession('first');
    expect(await store().listNotes('first')).toEqual([]);
    expect(await store().getThreads(['first'])).toEqual([]);
  });
}
