import type { KeyView } from '@parley/protocol/settings/key';
import { useEffect, useState } from 'preact/hooks';
import { call, sessionEnded } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';

interface PreviewProps {
  readonly agentId: string;
  /** Of the agent; null until they are known. */
  readonly keys: readonly KeyView[] | null;
  readonly name: string;
  readonly accent: string;
  readonly theme: string;
  /** Another one when something was saved that the widget reads only when it begins. */
  readonly revision: string;
}

type Parley = (call: string, ...args: unknown[]) => Promise<unknown>;

/** The loader may come after the page: until then calls wait in a queue. */
function parley(...call: Parameters<Parley>): void {
  const global = globalThis as { parley?: Parley & { q?: unknown[][]; version?: string } };
  if (global.parley?.version) return void global.parley(...call).catch(console.error);
  const stub = (global.parley ??= Object.assign(() => Promise.resolve(), { q: [] as unknown[][] }));
  (stub.q ??= []).push(call);
}

const id = 'preview';

/** The widget that visitors see, beside the form that decides how it looks. */
export function Preview({ agentId, keys, name, accent, theme, revision }: PreviewProps) {
  const mayPreview = isAtLeast('agent');
  const draftKey = useDraftKey(mayPreview ? agentId : null);
  const liveKey = keys?.find(({ kind }) => kind === 'publishable')?.key ?? null;
  const key = mayPreview ? draftKey : liveKey;
  const isColour = /^#[0-9a-f]{6}$/i.test(accent);
  const look = { name, theme, ...(isColour && { accent }) };
  useEffect(() => {
    if (key === null) return undefined;
    parley('init', { key, id, mode: 'inline', target: '#preview', ...look });
    return () => parley(`${id}.destroy`);
  }, [key, revision]);
  useEffect(() => {
    if (key !== null) parley(`${id}.update`, look);
  }, [name, accent, theme]);
  return (
    <section class="preview" aria-label="Preview">
      <h2>Preview</h2>
      <div id="preview" />
      <p class="hint">
        {mayPreview
          ? 'This is the widget itself, speaking to the draft. What is said here is not counted, and gone after a day.'
          : 'This is what visitors speak to. Your role does not speak to drafts.'}
      </p>
    </section>
  );
}

/** The key that speaks to the draft; null until it is there, and where there is no agent. */
function useDraftKey(agentId: string | null): string | null {
  const [key, setKey] = useState<string | null>(null);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (agentId === null || ended) return;
    call<{ readonly key: string }>('POST', `/agents/${agentId}/preview`).then(
      (opened) => setKey(opened.key),
      console.error,
    );
  }, [agentId, ended]);
  return key;
}
