import type { ConversationCore } from '../conversation-core.ts';

/** By the id of a control: what was typed into it or chosen, or that it was ticked. */
export type FormEntries = Readonly<Record<string, string | true>>;

type Core = Pick<ConversationCore, 'state' | 'storage'>;

const addressOf = ({ state }: Core, form: string) => `${state.session.value?.sessionId ?? ''} ${form}`;

/** What stood in a form of this conversation when it was last touched here and not sent. */
export const readEntries = (core: Core, form: string): FormEntries =>
  (core.storage.readObject('entries')?.[addressOf(core, form)] as FormEntries | undefined) ?? {};

export function writeEntries(core: Core, form: string, entries: FormEntries): void {
  const { [addressOf(core, form)]: _, ...forms } = core.storage.readObject('entries') ?? {};
  if (Object.keys(entries).length > 0) forms[addressOf(core, form)] = entries;
  core.storage.set('entries', Object.keys(forms).length > 0 ? JSON.stringify(forms) : '');
}
