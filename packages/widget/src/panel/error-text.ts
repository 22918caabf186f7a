import type { ParleyError } from '@parley/client/error';
import { labels } from '../labels.ts';

/** What went wrong, in words for a visitor. */
export function errorText({ code, retryAfter }: ParleyError): string {
  const text = labels.errors[code] ?? labels.errorOther;
  return retryAfter === undefined ? text : `${text} ${labels.tryAgainIn(retryAfter)}`;
}
