import { createRedactor, type Redactor } from '../redact.ts';
import type { Bearer } from './with-bearer.ts';

/** The one of now, and the one before it that a call may still carry. */
const maxTokens = 2;

/** Knows which tokens a server was shown last, to take them out of what it answers. */
export class ShownTokens {
  readonly #bearer: Bearer;
  #tokens: readonly string[] = [];
  #redactor = createRedactor({}, []);

  constructor(bearer: Bearer) {
    this.#bearer = bearer;
  }

  readonly bearer: Bearer = async (rejected) => {
    const token = await this.#bearer(rejected);
    if (token !== null && token !== this.#tokens[0]) {
      this.#tokens = [token, ...this.#tokens].slice(0, maxTokens);
      this.#redactor = createRedactor({}, this.#tokens);
    }
    return token;
  };

  get redactor(): Redactor {
    return this.#redactor;
  }

  redacted(text: string): string {
    return this.#redactor.text(text);
  }
}
