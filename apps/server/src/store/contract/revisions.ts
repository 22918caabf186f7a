import { expect, test } from 'vitest';
import { type DraftRecord, maxRevisions, type NewRevision, type RevisionRecord } from '../revision-store.ts';
import type { AgentRecord } from '../agent-record.ts';
import type { AuditRecord } from '../audit-store.ts';
import type { Store } from '../store.ts';
import { start } from './samples.ts';
import { agent, seed } from './settings.ts';

const ada = { id: 'member_1', name: 'Ada' };

const revisionOf = (revision: number): RevisionRecord => ({
  revision,
  at: start + revision,
  author: revision % 2 === 0 ? ada : null,
  note: revision % 2 === 0 ? `The ${revision}th` : null,
  fields: ['name', 'widget.greeting'],
  name: `Helper ${revision}`,
  config: { revision, text: 'ä \u{1F600}' },
});
const changeTo = (before: AgentRecord, revision: number, draft: string | null = null): NewRevision => {
  const { name, config } = revisionOf(revision);
  return { revision: revisionOf(revision), fields: { name, config }, before, draft };
};
/** Publishes over the agent as it is now. */
async function publish(
  { settings: { agents, revisions } }: Store,
  agentId: string,
  ...next: [revision: number, draft?: string]
): Promise<AgentRecord | null> {
  return revisions.publish(agentId, changeTo((await agents.get(agentId)) ?? agent, ...next));
}
const draft: DraftRecord = {
  agentId: 'agent_1',
  version: 'one',
  base: 1,
  changedAt: start,
  author: ada,
  name: 'Draft',
  config: { a: [1, null] },
  credentials: 'encrypted',
};

/** Two revisions and a draft of the agent that `seed` makes. */
const draftChange: AuditRecord = {
  at: start,
  tenantId: 'tenant_1',
  actor: null,
  action: 'updated',
  kind: 'draft',
  subject: { id: 'agent_1', name: 'Ada' },
  before: { name: 'Ada' },
  after: { name: 'Grace' },
};

export async function seedRevisions(store: Store): Promise<void> {
  await publish(store, 'agent_1', 2);
  await publish(store, 'agent_1', 3);
  await store.settings.revisions.saveDraft(draft, null);
}

export function testRevisions(store: () => Store): void {
  test('keeps what an agent became with the change, latest first and in pages', async () => {
    await seed(store());
    const { agents, revisions } = store().settings;
    await revisions.begin({ ...agent, id: 'agent_2' }, revisionOf(1));
    expect(await agents.get('agent_2')).toEqual({ ...agent, id: 'agent_2' });
    const after = await publish(store(), 'agent_2', 2);
    const { name, config, ...listed } = revisionOf(2);
    expect(after).toEqual({ ...agent, id: 'agent_2', name, config, revision: 2 });
    expect(await agents.get('agent_2')).toEqual(after);
    expect(await revisions.get('agent_2', 2)).toEqual(revisionOf(2));
    expect(await revisions.get('agent_2', 3)).toBeNull();
    const first = await revisions.list({ agentId: 'agent_2', after: null, limit: 1 });
    expect(first.items).toEqual([listed]);
    const rest = await revisions.list({ agentId: 'agent_2', after: first.next, limit: 1 });
    expect(rest).toMatchObject({ items: [{ revision: 1, author: null }], next: null });
  });

  test('publishes nothing over a revision that was not seen, nor of an agent that is gone', async () => {
    await seed(store());
    await seedRevisions(store());
    const { agents, revisions } = store().settings;
    const before = await agents.get('agent_1');
    expect(await publish(store(), 'agent_1', 3, 'one')).toBeNull();
    expect(await publish(store(), 'agent_1', 5, 'one')).toBeNull();
    expect(await publish(store(), 'agent_9', 2)).toBeNull();
    expect(await agents.get('agent_1')).toEqual(before);
    expect(await revisions.getDraft('agent_1')).toEqual(draft);
    const both = await Promise.all([publish(store(), 'agent_1', 4), publish(store(), 'agent_1', 4)]);
    expect(both.filter(Boolean)).toHaveLength(1);
  });

  test('publishes nothing over what was changed without a revision', async () => {
    await seed(store());
    const { agents, revisions } = store().settings;
    const changes = [{ active: false }, { credentials: 'encrypted' }, { config: { a: 1 } }, { name: 'Ada' }];
    for (const fields of changes) {
      const seen = (await agents.get('agent_1'))!;
      await agents.update('agent_1', fields);
      expect(await revisions.publish('agent_1', changeTo(seen, 2)), JSON.stringify(fields)).toBeNull();
    }
    expect(await publish(store(), 'agent_1', 2)).toMatchObject({ revision: 2, active: false });
  });

  test('replaces a draft of a known version only, and removes the one that is published', async () => {
    await seed(store());
    const { audit, revisions } = store().settings;
    expect(await revisions.getDraft('agent_1')).toBeNull();
    expect(await revisions.saveDraft({ ...draft, agentId: 'agent_9' }, null)).toBe(false);
    expect(await revisions.saveDraft(draft, null, draftChange)).toBe(true);
    expect(await revisions.saveDraft({ ...draft, version: 'other' }, null, draftChange)).toBe(false);
    const later = { ...draft, version: 'two', author: null, credentials: null, name: 'Later' };
    expect(await revisions.saveDraft(later, 'other', draftChange)).toBe(false);
    expect(await revisions.saveDraft(later, 'one', draftChange)).toBe(true);
    expect(await revisions.listDrafts({ after: null, limit: 9 })).toEqual([later]);
    expect(await revisions.listDrafts({ after: 'agent_1', limit: 9 })).toEqual([]);
    await publish(store(), 'agent_1', 2, 'one');
    expect(await revisions.getDraft('agent_1')).toEqual(later);
    await publish(store(), 'agent_1', 3, 'two');
    expect(await revisions.getDraft('agent_1')).toBeNull();
    await revisions.saveDraft(draft, null);
    expect(await revisions.removeDraft('agent_1', 'two', draftChange)).toBe(false);
    expect(await revisions.getDraft('agent_1')).toEqual(draft);
    expect(await revisions.removeDraft('agent_1', undefined, draftChange)).toBe(true);
    expect(await revisions.getDraft('agent_1')).toBeNull();
    expect(await revisions.removeDraft('agent_1', undefined, draftChange)).toBe(false);
    // Those that were made: two that were saved, and the one that was removed.
    const { items } = await audit.list({ tenantId: undefined, after: null, limit: 9 });
    expect(items).toEqual([draftChange, draftChange, draftChange]);
  });

  test('keeps the last revisions, and none of an agent that is removed', async () => {
    await seed(store());
    const { agents, revisions } = store().settings;
    const numbers = async (agentId: string) =>
      (await revisions.list({ agentId, after: null, limit: 9 })).items.map(({ revision }) => revision);
    for (const [id, first] of Object.entries({ agent_2: 2, agent_3: 3 })) {
      await revisions.begin({ ...agent, id, revision: maxRevisions + 1 }, revisionOf(first));
      await publish(store(), id, maxRevisions + 2);
    }
    expect(await numbers('agent_2')).toEqual([maxRevisions + 2]);
    expect(await numbers('agent_3')).toEqual([maxRevisions + 2, 3]);
    await revisions.saveDraft({ ...draft, agentId: 'agent_3' }, null);
    await agents.remove('agent_3');
    expect([await numbers('agent_3'), await revisions.getDraft('agent_3')]).toEqual([[], null]);
  });
}
