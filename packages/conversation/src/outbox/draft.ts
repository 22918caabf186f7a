import { signal } from '@preact/signals-core';
import type { Clock } from '@parley/client/clock';
import type { ConversationStorage } from '../storage/conversation-storage.ts';
import type { DraftProblem } from './draft-problem.ts';

/** The message that is being written. */
export type DraftState = {
  text: string;
  files: readonly File[];
  /** How often files are being added just now. */
  adding: number;
  /** Why files were not added. */
  problem: DraftProblem | null;
};

const pauseInTyping = 300;

export const noDraft = { text: '', files: [], problem: null };

export type Draft = ReturnType<typeof createDraft>;

/** What the visitor has typed and the files to go with it, which are kept over reloads. */
export function createDraft(storage: ConversationStorage, clock: Clock, maySave: () => boolean) {
  const state = signal<DraftState>({ ...noDraft, text: storage.get('draft'), adding: 0 });
  let cancel = () => {};
  /** What is kept as far as this tab knows: a draft that another one has changed since stays. */
  let kept = state.value.text;
  /** What the page has put into the field: it is its visitor's once they have changed it. */
  let prefilled: string | undefined;
  const save = () => {
    cancel();
    const { text } = state.value;
    if (text !== kept && text !== prefilled && maySave()) storage.set('draft', (kept = text));
  };
  const change = (changed: Partial<DraftState>) => {
    state.value = { ...state.value, ...changed };
    cancel();
    cancel = clock.after(pauseInTyping, save);
  };
  return {
    state,
    change,
    save,
    prefill: (text: string): void => {
      prefilled = text;
      change({ text });
    },
    /** What pages before this one have left, and tabs beside it have drafted by now. */
    left: storage.readObject('files'),
  };
}
