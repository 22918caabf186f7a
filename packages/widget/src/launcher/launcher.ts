import { embed, type Embedded, type PanelModule } from './embed.ts';
import { preloadVerified } from './preload-verified.ts';
import type { WidgetOptions } from './widget-api.ts';

type Parley = ((call: string, ...args: unknown[]) => Promise<unknown>) & {
  /** Calls from before this script, left by the stub of the snippet. */
  q?: Iterable<[string, ...unknown[]]>;
  version?: string;
  /** Of a pinned loader: called with a module's path before the panel imports it. */
  verify?: (path: string) => void;
};

/** By the path of a module, the paths and hashes of what its import loads. */
type PinnedModules = { hashes: Record<string, [path: string, sha256: string][]> };

declare global {
  var parley: Parley | undefined;
  var parleySettings: Partial<WidgetOptions> | undefined;
}

/** The script's own tag: `currentScript` is null when a bundler or a tag manager has run it in another way. */
const tag =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/parley.js"]')!;

/** `parley('open')`, or `parley('sales.open')` for the widget with that id. */
function createParley(): Parley {
  const base = tag.src.replace(/\/v[\d.]+\/parley\.js.*$/, '');
  const widgets = new Map<string, Embedded>();
  /** Calls for widgets that are not there yet; each looks again after every `init`. */
  let early: (() => void)[] = [];

  const init = (options: WidgetOptions) => {
    const { key, target } = options;
    if (!key) throw Error('Parley: no data-key.');
    const { id = (widgets.get('')?.options.key ?? key) === key ? '' : key } = options;
    const there = widgets.get(id);
    const host = there?.host ?? document.createElement('div');
    // A page may have replaced what the widget stood in.
    if (!host.isConnected) {
      const place = target ? document.querySelector(target) : document.documentElement;
      if (!place) throw Error(`Parley: no ${target}.`);
      place.append(host);
    }
    if (there) return there.call('update', options);
    const importPanel = async (): Promise<PanelModule> => {
      const panel = `${base}/${PANEL}`;
      if (PINNED) {
        const others = `${base}/${PINNED.hashes}`;
        preloadVerified(panel, PINNED.panelHash, tag.nonce);
        preloadVerified(others, PINNED.hashesHash, tag.nonce);
        const { hashes } = (await import(/* @vite-ignore */ others)) as PinnedModules;
        parley.verify = (path) => {
          for (const [each, hash] of hashes[path]!) preloadVerified(`${base}/${each}`, hash, tag.nonce);
        };
      }
      return import(/* @vite-ignore */ panel);
    };
    const left = () => {
      widgets.delete(id);
      host.remove();
    };
    widgets.set(id, embed(host, base, { ...options, id }, importPanel, left));
    for (const look of early.splice(0)) look();
  };

  const parley: Parley = async (call, ...args) => {
    const [verb, id = ''] = call.split('.').reverse() as [string, string?];
    if (verb === 'init') return init({ ...globalThis.parleySettings, ...(args[0] as WidgetOptions) });
    while (!widgets.has(id)) {
      if (verb === 'destroy') return;
      await new Promise<void>((look) => early.push(look));
    }
    return widgets.get(id)!.call(verb, ...args);
  };
  parley.version = VERSION;
  return parley;
}

function start() {
  const earlier = globalThis.parley;
  const parley = earlier?.version ? earlier : (globalThis.parley = createParley());
  if (tag.dataset.key || globalThis.parleySettings?.key) parley('init', tag.dataset).catch(console.error);
  for (const each of earlier?.q ?? []) parley(...each).catch(console.error);
}

if (document.body) start();
else addEventListener('DOMContentLoaded', start);
