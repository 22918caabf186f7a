import { embed, type Embedded, type JudgeModule, type PanelModule } from '../loader/embed.ts';
import { preloadVerified } from '../loader/preload-verified.ts';
import type { WidgetOptions } from '../loader/widget-api.ts';

type Parley = ((call: string, ...args: unknown[]) => Promise<unknown>) & {
  /** Calls from before this script, left by the stub of the snippet. */
  q?: Iterable<[string, ...unknown[]]>;
  version?: string;
  /** Of a pinned loader: called with a module's path before the panel imports it, which waits for it. */
  verify?: (path: string) => Promise<unknown>;
};

/** By the path of a module, the paths and hashes of what its import loads. */
type PinnedModules = { hashes: Record<string, [path: string, sha256: string][]> };

declare global {
  /** What the service writes before the loader where its address names a key: options of its agent. */
  const FACE: Partial<WidgetOptions> | undefined;
  var parley: Parley | undefined;
  var parleySettings: Partial<WidgetOptions> | undefined;
}

/** The script's own tag: `currentScript` is null when a bundler or a tag manager has run it in another way. */
const tag =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('[src*="/parley.js"]')!;

/**
 * Browsers have kept a module that did not come as one that never will, so it is fetched first and imported from the
 * cache; where its hash is known, only if it has it.
 */
async function importFetched<Module>(address: string, sha256?: string): Promise<Module> {
  try {
    // Where a page has put something else in its place, the import alone has to do.
    if (typeof fetch === 'function') {
      const answer = await fetch(address);
      await answer.text();
      if (!answer.ok) throw TypeError(address);
    }
  } catch (error) {
    // As the browser says that there is no network. What the page's own `fetch` says otherwise is no reason.
    if (error instanceof TypeError) throw error;
  }
  if (PINNED) await preloadVerified(address, sha256!, tag.nonce);
  return import(/* @vite-ignore */ address) as Promise<Module>;
}

/** `parley('open')`, or `parley('sales.open')` for the widget with that id. */
function createParley(): Parley {
  const [base] = tag.src.split(/\/v[\d.]+\/parley\.js/) as [string];
  /** By id; no `Map`, which a page may have replaced. */
  const widgets: Record<string, Embedded> = { __proto__: null } as never;
  /** Calls for widgets that are not there yet; each looks again after every `init`. */
  let early: (() => void)[] = [];

  const init = (options: WidgetOptions) => {
    const { key, target } = options;
    if (!key) throw Error('Parley: no data-key.');
    const { id = (widgets['']?.options.key ?? key) === key ? '' : key } = options;
    const there = widgets[id];
    const host = there?.host ?? document.createElement('div');
    // A page may have replaced what the widget stood in.
    if (!host.isConnected) {
      const place = document.querySelector(target || ':root');
      if (!place) throw Error(`Parley: no ${target}.`);
      place.append(host);
    }
    if (there) return there.call('update', options);
    const importPinned = async ({ panelHash, ...pinned }: NonNullable<typeof PINNED>) => {
      const [panel, { hashes }] = await Promise.all([
        importFetched<PanelModule>(`${base}/${PANEL}`, panelHash),
        importFetched<PinnedModules>(`${base}/${pinned.hashes}`, pinned.hashesHash),
      ]);
      parley.verify = (path) =>
        Promise.all(hashes[path]!.map(([each, hash]) => preloadVerified(`${base}/${each}`, hash, tag.nonce)));
      return panel;
    };
    const importPanel = () =>
      PINNED ? importPinned(PINNED) : importFetched<PanelModule>(`${base}/${PANEL}`);
    const importJudge = () => importFetched<JudgeModule>(`${base}/${JUDGE}`, PINNED?.judgeHash);
    widgets[id] = embed(host, base, { ...options, id }, importPanel, importJudge, () => {
      delete widgets[id];
      host.remove();
    });
    for (const look of early.splice(0)) look();
  };

  const parley: Parley = async (call, ...args) => {
    const [verb, id = ''] = call.split('.').reverse() as [string, string?];
    if (verb === 'init') return init({ ...globalThis.parleySettings, ...(args[0] as WidgetOptions) });
    while (!widgets[id]) {
      if (verb === 'destroy') return;
      await new Promise<void>((look) => early.push(look));
    }
    return widgets[id].call(verb, ...args);
  };
  parley.version = VERSION;
  return parley;
}

function start() {
  const earlier = globalThis.parley;
  const parley = earlier?.version ? earlier : (globalThis.parley = createParley());
  const options: Partial<WidgetOptions> = {
    ...(typeof FACE !== 'undefined' && FACE),
    ...globalThis.parleySettings,
    ...(tag.dataset as Partial<WidgetOptions>),
  };
  if (options.key) parley('init', options).catch(console.error);
  for (const each of earlier?.q ?? []) parley(...each).catch(console.error);
}

if (document.body) start();
else addEventListener('DOMContentLoaded', start);
