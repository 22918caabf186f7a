import { UnreadableRecordError } from '../../settings/unreadable-record-error.ts';
import { ProblemError } from '../problem.ts';

interface Unreadable {
  readonly id: string;
  readonly unreadable: true;
}

/** An entry of a list, or a placeholder with its id: one bad record must not hide the others. */
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

/** A single record, or a 500 that tells the administrator why it cannot be read. */
export function readable<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableRecordError) throw new ProblemError('INTERNAL', error.message);
    throw error;
  }
}
