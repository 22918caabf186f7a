import type { Connection } from '@parley/client/connection';
import type { ParleyError } from '@parley/client/error';
import type { ReadonlySignal } from '@preact/signals-core';
import type { ConversationState } from './conversation-state.ts';
import type { Clock } from '@parley/client/clock';
import type { Environment } from './environment.ts';
import type { Identity } from './identity/identity.ts';
import type { Draft } from './outbox/draft.ts';
import type { FileStorage } from './outbox/file-storage.ts';
import type { OutboxMessage } from './outbox/outbox-message.ts';
import type { PageContext } from './page-tools/page-context.ts';
import type { ContextValues } from './page-tools/offered-tool.ts';
import type { ConversationStorage, Session } from './storage/conversation-storage.ts';
import type { ConversationEvent } from './transcript/conversation-event.ts';
import type { Transcript } from './transcript/transcript.ts';
import type { Turn } from './transcript/turn.ts';

/** What the parts of one conversation that are loaded later share with it. */
export type ConversationCore = {
  state: ConversationState;
  storage: ConversationStorage;
  files: FileStorage;
  connection: Connection;
  identity: Identity;
  page: PageContext;
  draft: Draft;
  outbox: {
    abort(): void;
    set(messages: readonly OutboxMessage[]): void;
    resend(): void;
    deliver(message: OutboxMessage): void;
  };
  clock: Clock;
  environment: Environment;
  /** Aborted when the conversation is disposed of. */
  signal: AbortSignal;
  /** Aborted when the visitor or the conversation is another one. */
  generation: ReadonlySignal<AbortSignal>;
  report: (error: ParleyError) => void;
  tell: (event: ConversationEvent) => void;
  isNews: (turn: Turn) => boolean;
  latest: () => Transcript;
  follow: (session: Session | null) => void;
  forget: (visitor: string) => void;
  /** `said`: what the page had said when it was written; by default what it has said by now. */
  send: (typed: string, files?: readonly File[], said?: Promise<ContextValues>) => boolean;
  discard: (id: string) => void;
};
