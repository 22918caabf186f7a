import { randomUUID } from 'node:crypto';
import type { Quota, RateLimit } from '../store/limit-store.ts';
import type { EnqueueRequest, EnqueueResult } from '../store/queue-store.ts';
import type { SessionRecord } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { type EnqueueDeps, enqueueItem } from './enqueue-item.ts';
import { type FileContext, storeFiles } from './message-files.ts';
import { messageFits } from './message-fits.ts';
import type { MessageInput } from './message-input.ts';
import type { TurnInput } from './queue-item.ts';
import { type Repeatable, idempotencyKey } from './repeatable.ts';
import { type SessionAccess, sender } from './session-access.ts';

/** The quotas and the token reservation that a turn counts against when it is accepted. */
export interface Allowance {
  readonly quotas: readonly Quota[];
  readonly reservation: Quota;
}

export interface SendRequest extends Allowance {
  readonly input: MessageInput;
  readonly rateLimits: readonly RateLimit[];
  readonly files: FileContext;
  readonly repeatable: Repeatable | null;
}

/** What the repeat of an accepted request is told. */
export interface AcceptedMessage {
  readonly sessionId: string;
  readonly itemId: string;
  /** The session's `nextIndex` when a follow-up came: its turn begins no earlier. */
  readonly nextIndex?: number;
}

export type SendResult =
  | { outcome: 'accepted'; sessionId: string; itemId: string; nextIndex: number }
  | { outcome: 'repeated'; accepted: AcceptedMessage; scope: string }
  /** The log takes no event of this size. */
  | { outcome: 'too-large' }
  | Exclude<EnqueueResult, { outcome: 'accepted' | 'repeated' }>;

export interface EnqueueMessageDeps extends EnqueueDeps {
  readonly store: Store;
  /** The address a stored file is served at. */
  readonly fileUrl: (id: string) => string;
}

/** Stores the files of a message and queues it, once however often it is repeated. */
export async function enqueueMessage(
  deps: EnqueueMessageDeps,
  sessionId: string,
  open: EnqueueRequest['open'],
  { input, rateLimits, quotas, reservation, files, repeatable }: SendRequest,
  known: (Pick<SessionRecord, 'id' | 'nextIndex'> & { readonly access?: SessionAccess }) | null = null,
): Promise<SendResult> {
  const { store } = deps;
  const { message, ...rest } = input;
  const stored = message ? await storeFiles(store.files, message, files, deps.fileUrl) : null;
  if (stored?.outcome === 'limited') return stored;
  const body: TurnInput = { ...rest, kind: 'delivery', message: stored?.body ?? null };
  const itemId = randomUUID();
  const answer = { sessionId: known?.id ?? sessionId, itemId, ...(known && { nextIndex: known.nextIndex }) };
  const idempotency = repeatable ? idempotencyKey(repeatable, answer) : null;
  const { visitor, maxSessionBytes, again } = files;
  const ids = stored?.body.fileIds ?? [];
  let accepted: EnqueueResult | null = null;
  try {
    if (stored && !messageFits(stored.body)) return { outcome: 'too-large' };
    accepted = await enqueueItem(deps, sessionId, open, itemId, body, {
      files: ids.length > 0 ? { ids, visitor, maxSessionBytes, again } : null,
      rateLimits,
      quotas,
      reservation,
      idempotency,
      ...(known?.access && sender(known.access)),
    });
  } finally {
    const own = stored?.own ?? [];
    if (accepted?.outcome !== 'accepted' && own.length > 0) await store.files.discard(own);
  }
  if (accepted.outcome === 'accepted') {
    const { nextIndex } = accepted;
    return { outcome: 'accepted', sessionId: accepted.sessionId, itemId, nextIndex };
  }
  if (accepted.outcome === 'repeated') {
    return {
      outcome: 'repeated',
      accepted: accepted.result as AcceptedMessage,
      scope: idempotency?.scope ?? '',
    };
  }
  return accepted;
}
