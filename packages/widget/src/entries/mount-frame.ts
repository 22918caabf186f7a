import type { WidgetEvents, WidgetOptions } from '../loader/widget-api.ts';
import { mount } from '../shell/mount.tsx';
import { isComposing } from '../ui/is-composing.ts';
import { connect, type FrameMessage, hello, isFrameMessage } from '../host/frame-message.ts';

/** The page of an iframe: its options come from its own address. */
export function mountFrame(): void {
  const host = document.createElement('div');
  host.dataset.parley = '';
  for (const { style } of [document.documentElement, document.body]) {
    style.setProperty('block-size', '100%');
    style.setProperty('margin', '0');
  }
  document.body.append(host);
  const query = new URLSearchParams(location.search);
  /** Nothing else: whoever makes a link to this page must not put words and ways out into it. */
  const options: Partial<WidgetOptions> = Object.fromEntries(
    [...query].filter(([name]) => /^(theme|accent)$/.test(name)),
  );
  const locale = query.get('locale') ?? navigator.language;
  document.documentElement.lang = locale;
  const root = host.attachShadow({ mode: 'open' });
  const panel = mount({
    root,
    base: new URL(/* @vite-ignore */ '..', import.meta.url).href.replace(/\/$/, ''),
    options: { ...options, key: query.get('key') ?? '', locale, mode: 'inline' },
  });
  const parentOrigin = originOfParent();
  if (!parentOrigin) return;

  const onMessage = ({ source, origin, data, ports }: MessageEvent<unknown>) => {
    const [port] = ports;
    if (source !== parent || origin !== parentOrigin) return;
    if (data === hello) greet();
    if (data !== connect || !port) return;
    removeEventListener('message', onMessage);
    serve(port, host, panel);
  };
  addEventListener('message', onMessage);
  const greet = () => parent.postMessage(hello, parentOrigin);
  greet();
}

/** Who may have put this page into a frame was decided by the browser, from the answer's `frame-ancestors`. */
function originOfParent(): string | undefined {
  if (parent === window) return undefined;
  // Firefox has no `ancestorOrigins`.
  const { ancestorOrigins } = location as Location & { ancestorOrigins?: DOMStringList };
  return ancestorOrigins?.[0] ?? (document.referrer && new URL(document.referrer).origin);
}

function serve(port: MessagePort, host: HTMLElement, panel: ReturnType<typeof mount>): void {
  const post = (message: FrameMessage) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (!isFrameMessage(data)) return;
    if (data.type === 'open') panel.open({ focus: false });
    else if (data.type === 'close') panel.close();
  };
  host.addEventListener('parley:unread', (event) => {
    post({ type: 'unread', ...(event as CustomEvent<WidgetEvents['unread']>).detail });
  });
  const onKey = (event: Event) => {
    const pressed = event as KeyboardEvent;
    if (pressed.key === 'Escape' && !isComposing(pressed)) post({ type: 'close' });
  };
  // The panel lets no key out of its root, and what it is told in an open menu is about the menu.
  for (const target of [host.shadowRoot!, globalThis]) target.addEventListener('keydown', onKey);
  post({ type: 'ready' });
  followHeight(host.shadowRoot!, (height) => post({ type: 'size', height }));
}

/** Calls back with the height at which nothing of the conversation would have to scroll, whenever it changes. */
function followHeight(root: ShadowRoot, changed: (height: number) => void): void {
  let known = 0;
  let frame = 0;
  const measure = () => {
    frame = 0;
    const panel = root.querySelector('.panel');
    const log = root.querySelector('[role=log]');
    if (!panel || !log) return;
    // What a turn that begins near the top leaves free below it is as high as the frame allows: it asks for none of it.
    const own = root.querySelector('.exchange[data-own]');
    const bottomOf = (element: Element) => element.getBoundingClientRect().bottom;
    const free = own?.lastElementChild ? bottomOf(own) - bottomOf(own.lastElementChild) : 0;
    const height = panel.clientHeight - log.clientHeight + log.scrollHeight - Math.floor(free);
    if (height !== known) changed((known = height));
  };
  const schedule = () => (frame ||= requestAnimationFrame(measure));
  new MutationObserver(schedule).observe(root, { childList: true, subtree: true, characterData: true });
  schedule();
}
