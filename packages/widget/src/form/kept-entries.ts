import type { Chat } from '../chat/chat-model.ts';
import type { Control } from './entry-problem.ts';

/** By the id of a control: what was typed into it or chosen, or that it was ticked. */
type Entries = Readonly<Record<string, string | true>>;

/** What a browser fills in for the moment only, or asks about first, stays nowhere. */
const secret = /^(off|one-time|cc-)/;

const controlsOf = (form: HTMLFormElement) => form.querySelectorAll<Control>('input,select,textarea');
const addressOf = ({ state }: Chat, scope: string) => `${state.session?.sessionId ?? ''} ${scope}`;

function write(chat: Chat, scope: string, entries: Entries): void {
  const { [addressOf(chat, scope)]: _, ...forms } = chat.saved.readObject('entries') ?? {};
  if (Object.keys(entries).length > 0) forms[addressOf(chat, scope)] = entries;
  chat.saved.set('entries', Object.keys(forms).length > 0 ? JSON.stringify(forms) : '');
}

/** What stood in a form of this conversation when it was last touched here and not sent. */
export const keptEntries = (chat: Chat, scope: string): Entries =>
  (chat.saved.readObject('entries')?.[addressOf(chat, scope)] as Entries | undefined) ?? {};

export function keepEntries(chat: Chat, scope: string, form: HTMLFormElement): void {
  // Nothing is stored of who has not agreed to it.
  if (chat.gated && chat.gate.consent) return;
  const entries: Record<string, string | true> = {};
  for (const control of controlsOf(form)) {
    const { id, type, value, autocomplete } = control;
    const entry = type === 'checkbox' || type === 'radio' ? (control as HTMLInputElement).checked : value;
    if (entry && !secret.test(autocomplete)) entries[id] = entry;
  }
  write(chat, scope, entries);
}

export const dropEntries = (chat: Chat, scope: string): void => write(chat, scope, {});

export function fillIn(form: HTMLFormElement, entries: Entries): void {
  for (const control of controlsOf(form)) {
    const entry = entries[control.id];
    if (entry === true) (control as HTMLInputElement).checked = true;
    else if (entry) {
      control.value = entry;
      control.dispatchEvent(new Event('input'));
    }
  }
}
