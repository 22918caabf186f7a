import type { Conversation, FormEntries } from '@parley/conversation';
import type { Control } from './entry-problem.ts';

/** What a browser fills in for the moment only, or asks about first, stays nowhere. */
const secret = /^(off|one-time|cc-)/;

const controlsOf = (form: HTMLFormElement) => form.querySelectorAll<Control>('input,select,textarea');

export function keepEntries(conversation: Conversation, scope: string, form: HTMLFormElement): void {
  // Nothing is stored of who has not agreed to it.
  if (conversation.preChat.value?.consent) return;
  const entries: Record<string, string | true> = {};
  for (const control of controlsOf(form)) {
    const { id, type, value, autocomplete } = control;
    const entry = type === 'checkbox' || type === 'radio' ? (control as HTMLInputElement).checked : value;
    if (entry && !secret.test(autocomplete)) entries[id] = entry;
  }
  conversation.keepFormEntries(scope, entries);
}

export function fillIn(form: HTMLFormElement, entries: FormEntries): void {
  for (const control of controlsOf(form)) {
    const entry = entries[control.id];
    if (entry === true) (control as HTMLInputElement).checked = true;
    else if (entry) {
      control.value = entry;
      control.dispatchEvent(new Event('input'));
    }
  }
}
