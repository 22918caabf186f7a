import type { ConversationCore } from './conversation-core.ts';
import { keepLoading } from './keep-loading.ts';
import type { Serving } from './page-tools/serving.ts';
import type { Actions } from './replies/actions.ts';

type Replying = typeof import('./replies/replying.ts');
type Serves = typeof import('./page-tools/serving.ts');
type Reader = { complete(part: Replying): void; share(part: Serves): void };
type Given = (...args: unknown[]) => unknown;

/**
 * Loads what a conversation needs after it has begun: first all that a visitor can do in it, then what its page asks of
 * it. `begun`: what the first waits for.
 */
export function loadParts(core: ConversationCore, reader: Reader, begun: readonly unknown[]) {
  const { state, identity, signal, clock } = core;
  const load = <Part extends object>(part: () => Promise<Part>) =>
    keepLoading(part, signal, () => (state.incomplete.value = true), clock);
  let replying: Replying | null = null;
  let actions: Actions | null = null;

  const loadingReplying = load(() => import('./replies/replying.ts'));
  const acting = Promise.all([loadingReplying, ...begun]).then(([part]) => {
    if (!part || signal.aborted) return;
    replying = part;
    actions = part.createActions(core);
    actions.lookAtPreChat();
    reader.complete(part);
    part.trackUnread(core);
    void part.restoreDraftFiles(core);
  });
  const serving = Promise.all([
    loadingReplying.then((part) => part && load(() => import('./page-tools/serving.ts'))),
    acting,
  ]).then(([part]) => {
    if (!part || signal.aborted) return null;
    // What another tab has read may be another visitor's.
    void Promise.resolve(identity.ready).then(() => reader.share(part));
    return part.createServing(core);
  });

  return {
    /** Tries until it comes or nobody wants it. */
    load,
    /** What its page asks of the conversation; null when it was disposed of before. */
    serving,
    loaded: serving.then(() => {}),
    /** Undefined until it is there. */
    nameParts: (text: string, files: readonly File[]) => replying?.nameParts(text, files),
    /** What comes before the first message may be another thing now. */
    lookAtPreChat: () => actions?.lookAtPreChat(),
    /** Does it at once if what it takes is there, and else as soon as it is. */
    act: <Name extends keyof Actions>(action: Name) => {
      const run = (...given: Parameters<Actions[Name]>) =>
        (actions?.[action] as Given | undefined)?.(...given);
      return (...given: Parameters<Actions[Name]>) =>
        (actions ? run(...given) : void acting.then(() => run(...given))) as
          | ReturnType<Actions[Name]>
          | undefined;
    },
    /** Asks as soon as what it takes is there. */
    ask:
      <Name extends keyof Serving>(request: Name) =>
      async (...given: Parameters<Serving[Name]>) =>
        ((await serving)?.[request] as Given | undefined)?.(...given) as Promise<
          Awaited<ReturnType<Serving[Name]>> | undefined
        >,
  };
}
