import { createWidget, type CreateOptions, type Widget } from './index.ts';
import type { WidgetCalls, WidgetEvents } from '../loader/widget-api.ts';

/** The attributes, by the option that each sets. */
const attributes = {
  service: 'service',
  key: 'publishable-key',
  id: 'widget-id',
  name: 'name',
  mode: 'mode',
  launcher: 'launcher',
  theme: 'theme',
  accent: 'accent',
  position: 'position',
  locale: 'locale',
  offsetX: 'offset-x',
  offsetY: 'offset-y',
  zIndex: 'z-index',
  teaser: 'teaser',
  history: 'history',
  fallback: 'fallback',
} as const satisfies Partial<Record<keyof CreateOptions, string>>;

/** The element's attributes, for the JSX of any library. */
export type ParleyChatAttributes = {
  [Option in keyof typeof attributes as (typeof attributes)[Option]]?: CreateOptions[Option] | undefined;
};

/** By attribute, the options that a widget can change; the others make it anew. */
const updatable = new Map(
  (
    ['name', 'launcher', 'theme', 'accent', 'position', 'locale', 'offsetX', 'offsetY', 'zIndex'] as const
  ).map((option) => [attributes[option] as string, option]),
);

const events = Object.keys({
  open: 0,
  close: 0,
  ready: 0,
  'before-send': 0,
  'before-open-link': 0,
  message: 0,
  approval: 0,
  question: 0,
  unread: 0,
  error: 0,
} satisfies Record<keyof WidgetEvents, 0>);

// On a server there are no elements, and the class is never used.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** `<parley-chat service="…" publishable-key="pk_…">`: fills its container, or `mode="bubble"`. */
export class ParleyChat extends Base {
  static readonly observedAttributes = Object.values(attributes);
  #widget: Widget | undefined;
  #changed = false;

  constructor() {
    super();
    // Templates of Angular take what stands before a colon for a target such as `window:`.
    for (const event of events)
      this.addEventListener(`parley:${event}`, (told) => {
        const { bubbles, composed, cancelable, detail } = told as CustomEvent<unknown>;
        const same = new CustomEvent(`parley-${event}`, { bubbles, composed, cancelable, detail });
        if (!this.dispatchEvent(same)) told.preventDefault();
      });
  }

  /** The widget, as long as the element is in a document and has a service and a key. */
  get widget(): Widget | undefined {
    // An effect of a framework may ask in the tick in which it inserts the element.
    if (this.isConnected) this.#apply();
    return this.#widget;
  }

  connectedCallback(): void {
    this.#settle();
  }

  disconnectedCallback(): void {
    this.#settle();
  }

  attributeChangedCallback(attribute: string, before: string | null, after: string | null): void {
    if (before === after) return;
    const option = updatable.get(attribute);
    if (this.#widget && option) void this.#widget.update({ [option]: after ?? undefined });
    else {
      this.#changed = true;
      this.#settle();
    }
  }

  /** Once all that happens to the element now has happened: a move in the document is no end. */
  #settle(): void {
    queueMicrotask(() => this.#apply());
  }

  #apply(): void {
    const options = this.#options();
    const widget = this.#widget;
    const isOver = this.#changed || !this.isConnected || !options;
    this.#changed = false;
    if (widget && isOver) {
      // Before it is destroyed: the page may hear of it at once, and ask for the next one.
      this.#widget = undefined;
      void widget.destroy();
    }
    if (this.isConnected && options) this.#widget ??= createWidget({ ...options, host: this });
  }

  #options(): CreateOptions | undefined {
    const set = Object.entries(attributes).flatMap(([option, attribute]) => {
      const value = this.getAttribute(attribute);
      return value === null ? [] : [[option, value]];
    });
    const options = { mode: 'inline', ...Object.fromEntries(set) } as CreateOptions;
    return options.service && options.key ? options : undefined;
  }

  async #call<Verb extends keyof WidgetCalls>(
    verb: Verb,
    ...args: Parameters<WidgetCalls[Verb]>
  ): Promise<void> {
    const method = this.widget?.[verb] as ((...given: typeof args) => Promise<void>) | undefined;
    if (!method) throw new Error('Parley: the element is not in the page.');
    await method(...args);
  }

  open(options?: { focus?: boolean }): Promise<void> {
    return this.#call('open', options);
  }
  close(): Promise<void> {
    return this.#call('close');
  }
  toggle(): Promise<void> {
    return this.#call('toggle');
  }
  send(text: string): Promise<void> {
    return this.#call('send', text);
  }
  prefill(text: string): Promise<void> {
    return this.#call('prefill', text);
  }
}
