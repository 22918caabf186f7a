import {
  maxEntries,
  type SourceCreate,
  type SourceFile,
  type SourcePatch,
  type SourceView,
} from '@parley/protocol/settings/source';
import type { Resource } from '../../settings/resource.ts';
import { sourceOf } from '../../settings/source.ts';
import { allRecords } from '../../settings/all-records.ts';
import type { QuestionStore } from '../../store/question-store.ts';
import type { AgentRecord, SettingsStore, SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** What the source is called that answers are put into. */
const answersName = 'Answered questions';

interface OpenQuestionsDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly sources: Pick<
    Resource<SourceRecord, SourceCreate | SourceFile, SourcePatch, SourceView>,
    'create' | 'update'
  >;
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
  /** The agent's source of answers that has room for one more. */
  async function answersOf(agentId: string) {
    for await (const record of allRecords(stored.sources, { agentId, kind: 'faq', name: answersName })) {
      const source = sourceOf(record);
      if (source.kind === 'faq' && source.entries.length < maxEntries) return source;
    }
    return null;
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
      const answers = await answersOf(agent.id);
      const entry = { question, answer };
      const source =
        answers === null
          ? await sources.create(principal, {
              agentId: agent.id,
              kind: 'faq',
              name: answersName,
              entries: [entry],
            })
          : await sources.update(principal, answers.id, { entries: [...answers.entries, entry] });
      await questions.removeQuestion(agent.id, questionId);
      response.status(201).json(source);
    },

    async dismissQuestion({ response, principal, id, body: { questionId } }) {
      const agent = await agents.find(principal, id);
      await questions.removeQuestion(agent.id, questionId);
      response.status(204).end();
    },
  };
}
