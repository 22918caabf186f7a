import { useEffect, useRef } from 'preact/hooks';

interface PreviewProps {
  /** The publishable key of the agent; null until there is one. */
  readonly publishableKey: string | null;
  readonly name: string;
  readonly accent: string;
  readonly theme: string;
  /** Raised when something was saved that the widget reads only when it begins. */
  readonly revision: number;
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
export function Preview({ publishableKey, name, accent, theme, revision }: PreviewProps) {
  const place = useRef<HTMLDivElement>(null);
  const isColour = /^#[0-9a-f]{6}$/i.test(accent);
  const look = { name, theme, ...(isColour && { accent }) };
  useEffect(() => {
    if (publishableKey === null) return undefined;
    parley('init', { key: publishableKey, id, mode: 'inline', target: '#preview', ...look });
    return () => parley(`${id}.destroy`);
  }, [publishableKey, revision]);
  useEffect(() => {
    if (publishableKey !== null) parley(`${id}.update`, look);
  }, [name, accent, theme]);
  return (
    <section class="preview" aria-label="Preview">
      <h2>Preview</h2>
      {publishableKey === null ? (
        <p class="hint">Create a key for your website, and the widget stands here.</p>
      ) : (
        <div ref={place} id="preview" />
      )}
      <p class="hint">This is the widget itself, speaking to what is saved.</p>
    </section>
  );
}
