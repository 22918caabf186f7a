import { createHash } from 'node:crypto';
import { searchToolName } from '@parley/protocol/search-tool';
import type { Turn } from '../session/state/phase.ts';
import { isTrialId, publishedId } from '../settings/draft-id.ts';
import type { HistoryMessage, TurnContext } from './context.ts';

/** Characters of a question that are kept. */
const maxQuestion = 1_000;
/** Questions of one agent: more than that nobody answers, and the oldest are no longer asked. */
const maxQuestions = 500;

/** Where a turn searched and its answer names no source, keeps what was asked for whoever can answer it. */
export async function keepOpenQuestion(context: TurnContext, { sequence }: Turn): Promise<void> {
  const { store, session, agent, logger, history } = context;
  if (isTrialId(agent.id)) return;
  const said = history.filter(({ turn }) => turn === sequence);
  const question = said.findLast(({ message }) => message.role === 'user');
  const text = question ? textOf(question).slice(0, maxQuestion).toWellFormed() : '';
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if (words === '' || !said.some(isSearch)) return;
  const digest = createHash('sha256').update(words).digest('base64url').slice(0, 22);
  const asked = { digest, question: text, turn: sequence, at: Date.now() };
  // Whoever tries a draft finds what it cannot answer where visitors' questions are.
  const agentId = publishedId(agent.id);
  try {
    await store.saveQuestion({ sessionId: session.id, agentId }, asked, maxQuestions);
  } catch (err) {
    // The answer is worth more than the note that it was none.
    logger.warn({ err }, 'a question without a source could not be kept');
  }
}

const isSearch = ({ message }: HistoryMessage) =>
  message.role === 'tool' && message.content.some(({ toolName }) => toolName === searchToolName);

function textOf({ message: { content } }: HistoryMessage): string {
  if (typeof content === 'string') return content.trim();
  return content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}
