import type { Words } from '../labels/labels.ts';
import type { ConversationStore } from './conversation-store.ts';
import { createStore } from './store.ts';

/** The message that is being written. */
export type Draft = {
  text: string;
  files: readonly File[];
  /** How often files are being added just now. */
  adding: number;
  /** Why files were not added. */
  problem: ((words: Words) => string) | null;
};

const pauseInTyping = 300;

export const noDraft = { text: '', files: [], problem: null };

/** What the visitor has typed and the files to go with it, which are kept over reloads. */
export function createDraft(saved: ConversationStore, maySave: () => boolean) {
  const draft = createStore<Draft>({ ...noDraft, text: saved.get('draft'), adding: 0 });
  let typing: ReturnType<typeof setTimeout> | undefined;
  /** What the page has put into the field: it is its visitor's once they have changed it. */
  let prefilled: string | undefined;
  const save = () => {
    clearTimeout(typing);
    const { text } = draft.state;
    if (text !== prefilled && maySave()) saved.set('draft', text);
  };
  draft.subscribe(() => {
    clearTimeout(typing);
    typing = setTimeout(save, pauseInTyping);
  });
  /** What pages before this one have left, and tabs beside it have drafted by now. */
  const left = saved.readObject('files');
  const prefill = (text: string) => {
    prefilled = text;
    draft.set({ text });
  };
  return Object.assign(draft, { save, prefill, left });
}
