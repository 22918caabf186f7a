import { UnreadableRecordError } from '../../settings/unreadable-record-error.ts';
import { ProblemError } from '../problem.ts';

interface Unreadable {
  readonly id: string;
  readonly unreadable: true;
}

/** An entry of a list, or what stands for it: one bad record does not take the others with it. */
export function orUnreadable<Stored extends { readonly id: string }, Answer>(
  answer: (record: Stored) => Answer,
): (record: Stored) => Answer | Unreadable {
  return (record) => {
    try {
      return answer(record);
    } catch (error) {
      if (error instanceof UnreadableRecordError) return { id: record.id, unreadable: true };
      throw error;
    }
  };
}

/** What is asked for by itself, or a 500 that tells the administrator what is wrong with it. */
export function readable<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableRecordError) throw new ProblemError('INTERNAL', error.message);
    throw error;
  }
}
