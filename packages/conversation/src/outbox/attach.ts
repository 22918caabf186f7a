import type { ConversationCore } from '../conversation-core.ts';
import type { Turn } from '../transcript/turn.ts';
import { typedText } from './typed-text.ts';

const load = () => import('./attaching.ts');

/** Adds files to the draft, or says why not. */
export async function attach(core: ConversationCore, chosen: readonly File[]): Promise<void> {
  const { draft, state, generation } = core;
  const { value: abandoned } = generation;
  const { value: setup } = state.setup;
  if (setup.kind !== 'ready') return;
  draft.change({ adding: draft.state.value.adding + 1, problem: null });
  try {
    await (await load()).addFiles(core, chosen, setup.config.files, abandoned);
  } catch {
    draft.change({ problem: { kind: 'network' } });
  }
  draft.change({ adding: draft.state.value.adding - 1 });
}

/** Brings back the files that an earlier page of this tab has left in its draft. */
export async function restoreDraftFiles(core: ConversationCore): Promise<void> {
  if (!core.draft.left) return;
  const part = await load().catch(() => null);
  // Without it they stay where they are.
  await part?.keepDraft(core);
}

/** Makes a message that was not sent the draft again. */
export async function edit(core: ConversationCore, id: string): Promise<void> {
  const { draft, state, generation } = core;
  const { value: abandoned } = generation;
  const message = state.outbox.value.find((each) => each.id === id);
  if (!message) return;
  try {
    await (await load()).editUnsent(core, message);
  } catch {
    if (!abandoned.aborted) draft.change({ problem: { kind: 'network' } });
  }
}

/** Sends a message of the conversation once more, with its files. */
export async function resend(core: ConversationCore, user: NonNullable<Turn['user']>): Promise<void> {
  const { generation, connection, environment, draft, send } = core;
  const { value: abandoned } = generation;
  if (user.parts.every(({ type }) => type !== 'file')) return void send(user.text);
  try {
    const { fetchFiles } = await load();
    const files = await fetchFiles(environment.fetch ?? fetch, connection.baseUrl, user.parts);
    // Whoever has come meanwhile, or another conversation, is not told it.
    if (!abandoned.aborted) send(typedText(user), files);
  } catch {
    if (!abandoned.aborted) draft.change({ problem: { kind: 'network' } });
  }
}
