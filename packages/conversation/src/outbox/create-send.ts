import { computed, type ReadonlySignal } from '@preact/signals-core';
import type { ConversationCore } from '../conversation-core.ts';
import type { ConversationState } from '../conversation-state.ts';
import type { ContextValues } from '../page-tools/offered-tool.ts';
import type { nameParts } from './name-parts.ts';
import type { Outbox } from './outbox.ts';

type Deps = Pick<ConversationCore, 'state' | 'page' | 'signal'> & {
  outbox: Outbox;
  held: ReadonlySignal<boolean>;
  /** How many events have arrived that are not in the transcript yet. */
  pendingCount: () => number;
  /** Undefined until what names files is there. */
  nameParts: (...given: Parameters<typeof nameParts>) => ReturnType<typeof nameParts> | undefined;
  /** Whether a message may leave. */
  beforeSend: (text: string) => boolean;
};

/** Whether what is sent waits: for the settings, or for what the visitor is asked before the first message. */
export const createHeld = (state: ConversationState): ReadonlySignal<boolean> =>
  computed(() => {
    const { consent, form } = state.preChat.value;
    const isBegun = state.session.value !== null || state.outbox.value.length > 0;
    return state.setup.value.kind !== 'ready' || (!isBegun && Boolean(consent || form));
  });

/** Puts what is said into the outbox, once it is no longer held back. */
export function createSend(deps: Deps): ConversationCore['send'] {
  const { state, page, outbox, held, signal } = deps;
  const waiting: (() => void)[] = [];
  const send = (
    typed: string,
    attached: readonly File[] = [],
    said: Promise<ContextValues> = page.said(),
  ): boolean => {
    if (held.value) {
      const abandoned = outbox.generation.value;
      waiting.push(() => abandoned.aborted || send(typed, attached, said));
      return true;
    }
    const text = typed.toWellFormed();
    // Files without what names them yet wait in the field.
    const message = attached.length === 0 ? { text } : deps.nameParts(text, attached);
    if (!message || !deps.beforeSend(message.text)) return false;
    const shown = state.transcript.value.nextIndex;
    outbox.add(
      { ...message, after: shown + deps.pendingCount(), shown },
      attached,
      page.turnOptions(state.session.value ? null : state.preChat.value.visitor, said),
    );
    return true;
  };
  signal.addEventListener(
    'abort',
    held.subscribe((isHeld) => {
      if (!isHeld) queueMicrotask(() => waiting.splice(0).forEach((sendHeld) => sendHeld()));
    }),
  );
  return send;
}
