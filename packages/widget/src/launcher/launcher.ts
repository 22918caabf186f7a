import { embed, type Embedded, type PanelModule } from './embed.ts';
import { preloadVerified } from './preload-verified.ts';
import type { WidgetOptions } from './widget-api.ts';

type Parley = ((call: string, ...args: unknown[]) => Promise<unknown>) & {
  /** Calls from before this script, left by the stub of the snippet. */
  q?: Iterable<[string, ...unknown[]]>;
  version?: string;
};

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
    if (there) return there.call('update', options);
    const host = document.createElement('div');
    const place = target ? document.querySelector(target) : document.documentElement;
    if (!place) throw Error(`Parley: no ${target}.`);
    place.append(host);
    const importPanel = (): Promise<PanelModule> => {
      if (INTEGRITY) {
        const locale = options.locale || document.documentElement.lang || navigator.language;
        preloadVerified(INTEGRITY, base, tag.nonce, locale.toLowerCase());
      }
      return import(/* @vite-ignore */ `${base}/${PANEL}`);
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
