import { cssUrl } from '../ui/css-url.ts';
import css from './launcher.css?inline';
import type { MountOptions, Panel, WidgetChanges, WidgetOptions } from './widget-api.ts';

export type PanelModule = { mount(options: MountOptions): Panel };

/** `id`: empty for the widget that is called without one. */
type EmbedOptions = WidgetOptions & { id: string };

/** One widget of the page: its launcher is there at once, its panel when it is wanted. */
export type Embedded = {
  readonly host: HTMLElement;
  readonly options: EmbedOptions;
  /** Any verb of the widget. What needs no panel yet waits for it without loading it. */
  readonly call: (...call: Waiting) => Promise<unknown>;
};

/** A call of the page that the panel is to do. */
export type Waiting = [verb: string, ...args: unknown[]];
export type JudgeModule = {
  judge(waiting: Waiting[], call: Waiting, dress: (changed: WidgetChanges) => void): Promise<void>;
};

/** The calls that need no panel yet. All others load it, also those that there are not: it says so. */
const patient = /^(close|identify|update|context|tool)$/;

/** Until the panel of an inline widget is tried for again, in milliseconds. */
const retryDelay = 20_000;

type Verbs = Partial<Record<string, (...args: never[]) => unknown>>;

/**
 * Puts a widget into `host`, which belongs to it until `destroy`; `left` is called then. `importJudge`: what says at once,
 * while there is no panel, that it will not take a call.
 */
export function embed(
  host: HTMLElement,
  base: string,
  options: EmbedOptions,
  importPanel: () => Promise<PanelModule>,
  importJudge: () => Promise<JudgeModule>,
  left: () => void,
): Embedded {
  const { id } = options;
  const inline = options.mode === 'inline';
  const ending = new AbortController();
  const { signal } = ending;
  const waiting: Waiting[] = [];
  const storageKey = `parley:${base}:${options.key}`;

  host.dataset.parley = id;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  // That of an inline widget is in no page.
  const launcher = document.createElement('button');
  launcher.className = 'launcher';
  launcher.ariaExpanded = 'false';
  if (!inline) root.append(launcher);

  const report = (error: unknown) => signal.aborted || console.error(error);
  let look: WidgetChanges = {};
  const dress = (changed: WidgetChanges) => {
    look = { ...look, ...changed };
    const { name = 'Chat', position = '', avatar } = look;
    const set = (property: string, value: string | number = '') =>
      host.style.setProperty(`--parley-${property}`, value as string);
    set('accent', look.accent);
    set('offset-x', look.offsetX);
    set('offset-y', look.offsetY);
    set('z-index', look.zIndex);
    set('avatar', avatar && cssUrl(avatar));
    set('mark', avatar && 'none');
    launcher.ariaLabel = name;
    launcher.dataset.side = position;
    if ('launcher' in changed) launcher.hidden = !!look.launcher;
  };
  dress(options);

  let panel: Promise<Panel> | undefined;
  const load = () =>
    (panel ??= importPanel()
      .then((module) => {
        signal.throwIfAborted();
        const mounted = module.mount({
          root,
          base,
          options,
          launcher: inline ? undefined : launcher,
          storageKey,
          dress,
        });
        for (const each of waiting.splice(0)) mounted.call(...each).catch(report);
        return mounted;
      })
      .catch((error: unknown) => {
        panel = undefined;
        if (!signal.aborted) {
          host.dispatchEvent(
            new CustomEvent('parley:error', {
              bubbles: true,
              composed: true,
              detail: { code: 'PANEL', message: String(error) },
            }),
          );
          // It has no launcher that is pressed again.
          if (inline) setTimeout(intent, retryDelay);
        }
        throw error;
      }));
  const ours: Verbs = {
    __proto__: null as never,
    destroy() {
      ending.abort();
      root.replaceChildren();
      left();
      panel?.then((each) => each.destroy(), report);
    },
    on(name: string, handler: EventListener) {
      host.addEventListener(`parley:${name}`, handler, { signal });
    },
    off(name: string, handler: EventListener) {
      host.removeEventListener(`parley:${name}`, handler);
    },
    show() {
      launcher.hidden = false;
    },
    hide() {
      launcher.hidden = true;
    },
  };
  const call = async (...each: Waiting): Promise<unknown> => {
    const [verb, ...args] = each;
    if (verb in ours) return ours[verb]!(...(args as never[]));
    if (panel || !patient.test(verb)) return (await load()).call(...each);
    waiting.push(each);
    // What does not come judges nothing; the panel will.
    return importJudge().then(
      (module) => module.judge(waiting, each, dress),
      () => {},
    );
  };
  const want = (...each: Waiting): unknown => call(...each).catch(report);
  const intent = (): unknown => load().catch(report);
  document.addEventListener(
    'click',
    (event) => {
      const clicked = event.target as Element;
      const opener = clicked.closest<HTMLElement>('[data-parley-open]');
      if (opener?.dataset.parleyOpen === id) {
        event.preventDefault();
        want('open');
        if (opener.dataset.prompt) want('send', opener.dataset.prompt);
        // In `:is()` what is no selector matches nothing and does not throw, at every click on the page.
      } else if (look.launcher && clicked.closest(`:is(${look.launcher})`)) want('toggle');
    },
    { signal },
  );

  // Whoever had the panel open in this tab, or comes from another device, finds it open; whoever talked before learns what is new;
  // whoever did neither may be greeted.
  if (inline) intent();
  else {
    launcher.onpointerenter = launcher.onfocus = intent;
    launcher.onclick = () => want('toggle');
    try {
      const opened = sessionStorage.getItem(storageKey);
      if (opened || location.hash.includes(options.key)) want('open', { focus: false });
      else if (localStorage.getItem(storageKey)) setTimeout(intent, 1_000);
      else if (opened === null && options.teaser !== undefined) setTimeout(intent, 3_000);
    } catch {
      // Storage is blocked: the panel starts closed.
    }
  }

  return { host, options, call };
}
