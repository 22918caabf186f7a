import { termsOf } from '../knowledge/terms.ts';
import type { MessageWords } from '../store/conversation-store.ts';
import { scopedTerms } from '../store/scoped-terms.ts';

/** Terms of one message; those that come later are not found. */
const maxOfMessage = 4_000;
/** Terms of one query; those that come later are not looked for. */
const maxOfQuery = 12;

/** Characters of what a term may begin with: fewer lead to all that there is. */
const minOfBeginning = 3;

interface Said {
  readonly tenantId: string;
  readonly text: string;
  /** Who said it, and where: found with the words of any message. */
  readonly names: readonly (string | null)[];
}

/** What a message of a tenant is found by. */
export function termsOfMessage({ tenantId, text, names }: Said): string[] {
  const terms = new Set([...names.flatMap((name) => termsOf(name ?? '')), ...termsOf(text)]);
  return scopedTerms(tenantId, [...terms].slice(0, maxOfMessage));
}

/** What is looked for. The last word may not have been typed to its end. */
export function wordsOfQuery(tenantId: string, query: string): MessageWords {
  const terms = [...new Set(termsOf(query))].slice(0, maxOfQuery);
  const last = terms.at(-1) ?? '';
  const isBeginning = Array.from(last).length >= minOfBeginning;
  const [beginning = null] = isBeginning ? scopedTerms(tenantId, [last]) : [];
  return { terms: scopedTerms(tenantId, isBeginning ? terms.slice(0, -1) : terms), beginning };
}
