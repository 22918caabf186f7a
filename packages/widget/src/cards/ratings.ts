import type { ConversationStore } from '../chat/conversation-store.ts';

export type Choice = 'up' | 'down' | null;
type Ratings = Partial<Record<string, Choice>>;

/** What this browser remembers of a turn's rating: the log does not tell it. */
export const ratingOf = (saved: ConversationStore, sessionId: string, turnId: string): Choice =>
  read(saved)[`${sessionId} ${turnId}`] ?? null;

export function keepRating(saved: ConversationStore, sessionId: string, turnId: string, rating: Choice) {
  const { [`${sessionId} ${turnId}`]: _before, ...others } = read(saved);
  write(saved, rating ? { ...others, [`${sessionId} ${turnId}`]: rating } : others);
}

function read(saved: ConversationStore): Ratings {
  try {
    return JSON.parse(saved.get('ratings') || '{}') as Ratings;
  } catch {
    // A damaged entry: only what is shown as pressed is lost.
    return {};
  }
}

const write = (saved: ConversationStore, ratings: Ratings) =>
  saved.set('ratings', Object.keys(ratings).length > 0 ? JSON.stringify(ratings) : '');
