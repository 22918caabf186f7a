import { ProblemError } from '../problem.ts';
import type { ChatReader } from './chat-reply.ts';

/** The Chat replies that somebody reads in this process. */
export class OpenReplies {
  readonly #readers = new Set<ChatReader>();

  /** `leave` is called once the reply is over. */
  add(reader: ChatReader): { leave(): void } {
    this.#readers.add(reader);
    return { leave: () => void this.#readers.delete(reader) };
  }

  /** Cuts those off that are left when the process stops, and tells them to ask again: another process answers. */
  cutAll(): void {
    for (const reader of this.#readers)
      reader.cut(new ProblemError('UNAVAILABLE', 'The service is stopping.', { retryAfter: 1 }), true);
  }
}
