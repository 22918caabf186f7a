import { createHash } from 'node:crypto';
import { maxEntries, type SourcePatch, type SourceView } from '@parley/protocol/settings/source';
import { changeRecord } from '../../settings/audit.ts';
import type { Resource } from '../../settings/resource.ts';
import { type NewSource, sourceOf } from '../../settings/source.ts';
import { allRecords } from '../../settings/all-records.ts';
import type { QuestionStore } from '../../store/question-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { SettingsStore, SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** What the source is called that answers are put into. */
const answersName = 'Answered questions';
const idLength = 24;

interface OpenQuestionsDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly sources: Pick<Resource<SourceRecord, NewSource, SourcePatch, SourceView>, 'create' | 'update'>;
  readonly stored: Pick<SettingsStore, 'sources'>;
  readonly questions: QuestionStore;
}

/** What visitors asked and no source answered, until somebody does. */
export function openQuestionHandlers({
  agents,
  sources,
  stored,
  questions,
}: OpenQuestionsDeps): Handlers<'listOpenQuestions' | 'answerQuestion' | 'dismissQuestion'> {
  /** The agent's source of answers that has room for one more; null: there is none. */
  async function answersOf(agentId: string): Promise<string | null> {
    for await (const record of allRecords(stored.sources, { agentId, kind: 'faq', name: answersName }))
      if (hasRoom(record)) return record.id;
    return null;
  }

  /** The id of the next source of answers: whoever gives the first answer at the same moment begins the same one. */
  async function nextId(agentId: string): Promise<string> {
    for (let number = 0; ; number += 1) {
      const digest = createHash('sha256').update(`${agentId} ${number}`).digest('hex').slice(0, idLength);
      const id = `source_${digest}`;
      const record = await stored.sources.get(id);
      // One that is full may have been renamed, or one before it removed.
      if (record === null || hasRoom(record)) return id;
    }
  }

  const hasRoom = (record: SourceRecord): boolean => entriesOf(record).length < maxEntries;

  function entriesOf(record: SourceRecord) {
    const source = sourceOf(record);
    return source.kind === 'faq' ? source.entries : [];
  }

  return {
    async listOpenQuestions({ response, principal, id, query: { cursor = null, limit } }) {
      const agent = await agents.find(principal, id);
      const page = await questions.listQuestions({ agentId: agent.id, after: cursor, limit });
      const items = page.items.map(({ digest, at, ...rest }) => ({
        id: digest,
        ...rest,
        lastAskedAt: new Date(at).toISOString(),
      }));
      response.json({ items, next: page.next });
    },

    async answerQuestion({ response, principal, id, body: { questionId, question, answer } }) {
      const agent = await agents.find(principal, id);
      const entry = { question, answer };
      const add = (sourceId: string) =>
        sources.update(principal, sourceId, (record) => ({ entries: [...entriesOf(record), entry] }));
      const begin = async () => {
        const begun = {
          id: await nextId(agent.id),
          agentId: agent.id,
          kind: 'faq' as const,
          name: answersName,
          entries: [entry],
        };
        try {
          return await sources.create(principal, begun);
        } catch (error) {
          if ((await stored.sources.get(begun.id)) === null) throw error;
          return add(begun.id);
        }
      };
      const answers = await answersOf(agent.id);
      const source = answers === null ? await begin() : await add(answers);
      await questions.removeQuestion(agent.id, questionId);
      response.status(201).json(source);
    },

    async dismissQuestion({ response, principal, id, body: { questionId } }) {
      const agent = await agents.find(principal, id);
      const change = changeRecord(principal, {
        tenantId: agent.tenantId,
        action: 'deleted',
        kind: 'open question',
        // Nothing of what was asked outlives its conversation here.
        subject: { id: questionId, name: null },
        before: { agentId: agent.id },
        after: null,
      });
      await questions.removeQuestion(agent.id, questionId, change);
      response.status(204).end();
    },
  };
}
