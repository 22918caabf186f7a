import { transportError } from '@parley/client/error';

export type Attachments = typeof import('./attachments.ts');

let loading: Promise<Attachments> | undefined;

/** What deals with files comes when there are some. Rejects with a `ParleyError`; the next call tries again. */
export function loadAttachments(): Promise<Attachments> {
  return (loading ??= import('./attachments.ts').catch((cause: unknown) => {
    loading = undefined;
    throw transportError(cause);
  }));
}
