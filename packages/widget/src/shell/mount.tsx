import { createConversation, type WidgetConfig } from '@parley/conversation';
import { type ReadonlySignal, signal as createSignal } from '@preact/signals-core';
import { render } from 'preact';
import { browserEnvironment } from '../host/browser-environment.ts';
import type { MountOptions, Panel, WidgetChanges } from '../loader/widget-api.ts';
import { adoptStyles } from '../ui/adopt-styles.ts';
import { isComposing } from '../ui/is-composing.ts';
import css from './panel.css?inline';
import { labels as english } from '../i18n/labels.ts';
import { withOwnLabels } from '../i18n/with-own-labels.ts';
import { judgeCall } from '../host/judge-call.ts';
import { keepEvents } from './keep-events.ts';
import { keepTyped } from './keep-typed.ts';
import { loadLater } from './load-later.ts';
import { isRightToLeft, knownLocale, loadLanguage } from '../i18n/locale.ts';
import { PanelView, type PanelState } from './panel-view.tsx';
import { takeTransferToken } from '../transfer/take-transfer-token.ts';
import { emitHostEvent } from '../host/emit-host-event.ts';
import type { attachToPage } from './attach-to-page.ts';
import type { Face } from '../widget-context.ts';

/** Puts the panel into a shadow root, closed if it has a launcher. */
export function mount({ root, base, launcher, storageKey, options, dress }: MountOptions): Panel {
  const { key } = options;
  adoptStyles(root, css, 'panel');
  const host = root.host as HTMLElement;

  const panel = document.createElement('div');
  panel.id = 'panel';
  panel.className = 'panel';
  panel.tabIndex = -1;
  panel.lang = 'en';
  panel.setAttribute('role', launcher ? 'dialog' : 'region');
  panel.setAttribute('aria-labelledby', 'title');
  host.dataset.mode = panel.dataset.mode = launcher ? 'bubble' : 'inline';
  panel.hidden = launcher !== undefined;
  launcher?.setAttribute('aria-controls', panel.id);
  launcher?.setAttribute('aria-haspopup', 'dialog');
  root.prepend(panel);
  keepEvents(root);

  let chosen: WidgetChanges = { ...options, labels: { ...options.labels } };
  try {
    judgeCall('update', { labels: chosen.labels });
  } catch (error) {
    console.error(error);
    chosen.labels = {};
  }
  /** What holds where the page has chosen nothing. */
  let look: Face & Pick<WidgetConfig['widget'], 'accent' | 'theme'> = {
    accent: '#2563eb',
    theme: 'auto',
    name: 'Chat',
  };
  let around: ReturnType<typeof attachToPage> | undefined;
  const applyLook = () => {
    const colour = /^#[\da-f]{6}$/i.test(chosen.accent ?? '') ? chosen.accent! : look.accent;
    host.style.setProperty('--parley-accent', colour);
    around?.tint(colour);
    panel.dataset.theme = chosen.theme ?? look.theme;
    const position = chosen.position ?? look.position ?? 'end';
    panel.dataset.side = position;
    dress?.({
      accent: colour,
      position,
      name: chosen.name || look.name,
      avatar: look.avatar || chosen.avatar,
    });
  };
  applyLook();

  const wantedLocale = () => knownLocale(chosen.locale || document.documentElement.lang);
  const view = createSignal<PanelState>({
    setup: { kind: 'loading' },
    labels: withOwnLabels(english, chosen.labels),
    pageTools: new Map(),
    cards: null,
    locale: wantedLocale(),
  });
  const change = (changed: Partial<PanelState>) => {
    view.value = { ...view.value, ...changed };
  };
  let language: readonly string[] = [];
  const known: Record<string, string> = { ...english };
  const updateLabels = () => {
    const spoken = Object.keys(known).map((name, index) => [name, language[index] ?? known[name]]);
    change({ labels: withOwnLabels(Object.fromEntries(spoken), chosen.labels) });
    around?.rename();
  };
  const speak = async () => {
    const locale = wantedLocale();
    host.dir = isRightToLeft(locale) ? 'rtl' : 'ltr';
    change({ locale });
    conversation.setLanguage(locale);
    try {
      const words = await loadLanguage(locale);
      // Another one may be wanted by now.
      if (locale !== view.value.locale) return;
      language = words;
      panel.lang = words.length > 0 ? locale : 'en';
      updateLabels();
    } catch (error) {
      console.error('Parley:', error);
    }
  };
  const ending = new AbortController();
  const { signal } = ending;
  const field = { current: null as HTMLTextAreaElement | null };
  let isOpen = launcher === undefined;

  const remember = () => {
    try {
      if (launcher && storageKey) sessionStorage.setItem(storageKey, isOpen ? '1' : '');
    } catch {
      // Storage is blocked: the next page starts closed.
    }
  };

  /** Whoever has come to the panel goes on in its field, once there is one. */
  const focusField = () => {
    // On a touch screen the keyboard would cover what the visitor came to read.
    if (root.activeElement === panel && matchMedia('(pointer: fine)').matches)
      field.current?.focus({ preventScroll: true });
  };

  const { promise: showsAll, resolve: showAll } = Promise.withResolvers<void>();
  const conversation = createConversation({
    baseUrl: base,
    key,
    environment: browserEnvironment(),
    showsAll,
    beforeSend: (text) => emitHostEvent(host, 'before-send', { text }),
    onEvent: ([name, detail]) => emitHostEvent(host, name, detail),
    onError: ({ code, message }) => emitHostEvent(host, 'error', { code, message }),
  });
  conversation.show(isOpen);

  const nameLauncher = (unread: string | false) => {
    launcher!.ariaLabel = [chosen.name || look.name, unread].filter(Boolean).join(', ');
  };
  const watch = <Value,>(watched: ReadonlySignal<Value>, changed: (value: Value) => unknown) =>
    signal.addEventListener('abort', watched.subscribe(changed));
  const arrival = createSignal(takeTransferToken(key));
  const listing = createSignal(false);
  const leaveList = () => (listing.value = false);
  // The field is drawn once nothing is asked before the first message.
  watch(conversation.preChat, () => requestAnimationFrame(focusField));
  watch(conversation.session, leaveList);
  watch(conversation.generation, leaveList);

  const isReady = Promise.withResolvers<WidgetConfig>();
  /** The words are awaited with the settings. */
  let spoken = speak();
  watch(conversation.setup, async (setup) => {
    if (setup.kind === 'ready') {
      await spoken;
      if (signal.aborted) return;
      look = setup.config.widget;
      applyLook();
    } else if (setup.kind === 'failed') {
      spoken = speak();
      // One that leads nowhere helps nobody.
      if (launcher && setup.error.code === 'UNAUTHORIZED') launcher.hidden = true;
    }
    change({ setup });
    if (setup.kind !== 'ready') return;
    isReady.resolve(setup.config);
    emitHostEvent(host, 'ready', null);
    requestAnimationFrame(focusField);
  });
  const show = (open: boolean) => {
    if (open === isOpen) return;
    emitHostEvent(host, open ? 'open' : 'close', null);
    isOpen = open;
    panel.hidden = !open;
    if (launcher) launcher.ariaExpanded = String(open);
    around?.fit(open);
    remember();
    conversation.show(open);
  };

  /** Whoever has clicked again while the panel was on its way wants it all the same. */
  let isNew = true;
  setTimeout(() => (isNew = false));
  /** What had the focus when the panel took it. */
  let opener: Element | null = null;
  const handle: Panel = {
    open({ focus = true } = {}) {
      show(true);
      if (!focus) return;
      if (document.activeElement !== host) opener = document.activeElement;
      panel.focus({ preventScroll: true });
      focusField();
    },
    close() {
      if (!launcher) {
        // The page around has hidden it: what arrives now is unread.
        isOpen = false;
        return conversation.show(false);
      }
      const hadFocus = root.activeElement !== null;
      show(false);
      // A page with launchers of its own gets the focus back where it was.
      const back = launcher.hidden ? (opener as HTMLElement | null) : launcher;
      if (hadFocus) back?.focus({ preventScroll: true });
    },
    toggle() {
      if (isOpen && !isNew) handle.close();
      else handle.open();
    },
    async send(text) {
      conversation.send(text);
      await isReady.promise;
    },
    prefill: async (text) => {
      await isReady.promise;
      conversation.draft.prefill(text);
    },
    identify: conversation.identify,
    logout: conversation.logout,
    context: conversation.setContext,
    async tool(tool) {
      change({ pageTools: await conversation.offerTool(tool) });
    },
    update(changed) {
      dress?.(changed);
      const { labels } = changed;
      chosen = { ...chosen, ...changed, ...(labels && { labels: { ...chosen.labels, ...labels } }) };
      if ('locale' in changed) void speak();
      applyLook();
      updateLabels();
    },
    async call(verb, ...args) {
      judgeCall(verb, args[0]);
      return (handle[verb as keyof Panel] as (...given: unknown[]) => unknown)(...args);
    },
    destroy() {
      ending.abort();
      render(null, panel);
      panel.remove();
      conversation.dispose();
      around?.release();
    },
  };

  panel.addEventListener('keydown', (event) => {
    if (launcher && event.key === 'Escape' && !isComposing(event)) handle.close();
    if (event.target === panel) keepTyped(event, field.current, conversation);
  });

  render(
    <PanelView
      conversation={conversation}
      listing={listing}
      arrival={arrival}
      panel={view}
      early={{ ...options, name: options.name || look.name }}
      field={field}
      onClose={launcher ? () => handle.close() : null}
      onBroken={conversation.report}
    />,
    panel,
  );
  if (arrival.value) handle.open({ focus: false });
  void loadLater(() => import('../entries/cards.ts'), root, signal).then((cards) => {
    if (!cards) return;
    change({ cards });
    showAll();
    Object.assign(known, cards.cardLabels);
    around = cards.attachToPage({
      root,
      panel,
      launcher,
      storageKey,
      options,
      conversation,
      view,
      ready: isReady.promise,
      signal,
      nameLauncher,
      close: () => handle.close(),
    });
    around.fit(isOpen);
    applyLook();
    updateLabels();
  });
  return handle;
}
