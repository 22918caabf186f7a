import type { ConversationCore } from '../conversation-core.ts';

/** Leaves nothing of who was here before; what was written on this page since the new visitor was named is the new one's. */
export async function startOver(
  { state, files, forget, send }: ConversationCore,
  visitor: string,
  since: number,
  isHere: () => boolean,
): Promise<void> {
  const own = state.outbox.value
    .filter(({ at, restored }) => !restored && at >= since)
    .map((message) => ({ ...message, files: message.parts && files.read(message).catch(() => null) }));
  forget(visitor);
  for (const { text, parts, files: reading, options } of own) {
    // What a form was filled in with before the first message was the earlier visitor's.
    const context =
      options &&
      (options.clientContext ? { ...(options.clientContext as object), visitor: undefined } : null);
    const attached = await reading;
    // With files, the text names them.
    const typed = attached ? parts!.map((part) => (part.type === 'text' ? part.text : '')).join('') : text;
    if (isHere()) send(typed, attached ?? [], context === undefined ? undefined : Promise.resolve(context));
  }
}
