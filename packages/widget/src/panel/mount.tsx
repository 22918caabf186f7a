import { render } from 'preact';
import type { MountOptions, Panel, WidgetChanges } from '../launcher/widget-api.ts';
import { type Chat, createChat } from '../chat/chat-model.ts';
import { createConversationStore } from '../chat/conversation-store.ts';
import { asParleyError, nextPause } from '../chat/network.ts';
import { createPage } from '../chat/page.ts';
import { loadConfig, type WidgetConfig } from '../chat/widget-config.ts';
import { accentTokens } from './accent.ts';
import { adoptStyles } from './adopt-styles.ts';
import css from './panel.css?inline';
import { createStore } from '../chat/store.ts';
import { fill, labels as english } from '../labels/labels.ts';
import { withOwnLabels } from '../labels/with-own-labels.ts';
import { judgeCall } from './judge-call.ts';
import { keepEvents } from './keep-events.ts';
import { loadLater } from './load-later.ts';
import { isRightToLeft, knownLocale, loadLanguage } from './locale.ts';
import { PanelView, type PanelState } from './panel-view.tsx';
import { mayPass } from './setup-notice.tsx';
import { tellPage } from './tell-page.ts';
import type { Cards } from '../widget-context.ts';

/** Puts the panel into a shadow root, closed if it has a launcher. */
export function mount({ root, base, launcher, storageKey, options }: MountOptions): Panel {
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
  panel.dataset.side = launcher?.dataset.side ?? 'end';
  panel.hidden = launcher !== undefined;
  launcher?.setAttribute('aria-controls', panel.id);
  launcher?.setAttribute('aria-haspopup', 'dialog');
  const mark = launcher?.querySelector('path');
  const closedMark = mark?.getAttribute('d') ?? '';
  root.prepend(panel);
  keepEvents(root);

  let chosen: WidgetChanges = options;
  try {
    judgeCall('update', options);
  } catch (error) {
    console.error(error);
    chosen = { ...options, labels: {} };
  }
  /** What holds where the page has chosen nothing. */
  let look: Pick<WidgetConfig['widget'], 'accent' | 'theme'> = { accent: '#2563eb', theme: 'auto' };
  const applyLook = () => {
    const colour = /^#[\da-f]{6}$/i.test(chosen.accent ?? '') ? chosen.accent! : look.accent;
    for (const [name, value] of Object.entries(accentTokens(colour))) host.style.setProperty(name, value);
    panel.dataset.theme = chosen.theme ?? look.theme;
  };
  applyLook();

  const wantedLocale = () => knownLocale(chosen.locale || document.documentElement.lang);
  const view = createStore<PanelState>({
    setup: { kind: 'loading' },
    labels: withOwnLabels(english, chosen.labels),
    incomplete: false,
    answers: null,
    cards: null,
    locale: wantedLocale(),
  });
  let language: readonly string[] = [];
  let countUnread = () => {};
  const updateLabels = ({ cards } = view.state) => {
    const known: Record<string, string> = { ...english, ...cards?.cardLabels };
    const spoken = Object.keys(known).map((name, index) => [name, language[index] ?? known[name]]);
    view.set({ cards, labels: withOwnLabels(Object.fromEntries(spoken), chosen.labels) });
    countUnread();
  };
  const speak = async () => {
    const locale = wantedLocale();
    host.dir = isRightToLeft(locale) ? 'rtl' : 'ltr';
    view.set({ locale });
    try {
      const words = await loadLanguage(locale);
      // Another one may be wanted by now.
      if (locale !== view.state.locale) return;
      language = words;
      panel.lang = words.length > 0 ? locale : 'en';
      updateLabels();
    } catch (error) {
      console.error('Parley:', error);
    }
  };
  const saved = createConversationStore(base, key);
  const ending = new AbortController();
  const { signal } = ending;
  const field = { current: null as HTMLTextAreaElement | null };
  let isOpen = launcher === undefined;
  let viewport: ReturnType<Cards['trackViewport']> | undefined;
  const chatOf = ({ setup } = view.state) => (setup.kind === 'ready' ? setup.chat : null);

  const remember = () => {
    try {
      if (storageKey) sessionStorage.setItem(storageKey, isOpen ? '1' : '');
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

  const nameLauncher = (count: number) => {
    const { newMessages = '' } = view.state.labels;
    const unread = count > 0 && fill(newMessages, { count });
    launcher!.ariaLabel = [chosen.name || 'Chat', unread].filter(Boolean).join(', ');
  };

  const page = createPage(host);
  const begun = Promise.withResolvers<{ chat: Chat; config: WidgetConfig }>();
  const completed = Promise.withResolvers<Cards>();
  const served = Promise.withResolvers<typeof import('../cards/serve-page.ts')>();
  /** What the page asks of the conversation waits for it and for the code that serves the page. */
  const serving = Promise.all([begun.promise, completed.promise]).then(async ([{ chat, config }, cards]) => {
    countUnread = cards.trackUnread(host, launcher, chat, () => isOpen, signal, nameLauncher);
    const teaser = options.teaser === undefined ? '' : options.teaser || config.widget.teaser;
    if (teaser && launcher && storageKey)
      cards.greet({
        root,
        panel,
        launcher,
        storageKey,
        text: teaser,
        close: view.state.labels.close!,
        signal,
      });
    const { servePage } = await served.promise;
    return servePage(host, chat, page, config.platform);
  });

  let failures = 0;
  let again: ReturnType<typeof setTimeout> | undefined;
  const retry = () => void configure();
  signal.addEventListener('abort', () => clearTimeout(again));
  /** Asked for by the visitor it shows that it goes on; by itself it changes nothing until there is something else. */
  const reconfigure = () => {
    view.set({ setup: { kind: 'loading' } });
    retry();
  };
  let attempts = 0;
  const configure = async () => {
    const attempt = ++attempts;
    clearTimeout(again);
    removeEventListener('online', retry);
    try {
      const [config] = await Promise.all([loadConfig(base, key), speak()]);
      if (signal.aborted || attempt !== attempts) return;
      look = config.widget;
      applyLook();
      const chat = createChat(
        { baseUrl: base, key, platform: config.platform, fetch: page.fetch },
        saved,
        page,
        config,
      );
      if (view.state.answers) chat.begin(view.state.answers);
      if (view.state.cards) void chat.complete(view.state.cards);
      view.set({ setup: { kind: 'ready', config, chat } });
      begun.resolve({ chat, config });
      tellPage(host, 'ready', null);
      requestAnimationFrame(focusField);
    } catch (cause) {
      if (signal.aborted || attempt !== attempts) return;
      const error = asParleyError(cause);
      const { setup } = view.state;
      if (setup.kind !== 'failed' || setup.error.code !== error.code) page.report(error);
      view.set({ setup: { kind: 'failed', error } });
      if (!mayPass(error)) return;
      again = setTimeout(retry, nextPause(error, failures++));
      addEventListener('online', retry, { once: true, signal });
    }
  };
  const show = (open: boolean) => {
    if (open === isOpen) return;
    tellPage(host, open ? 'open' : 'close', null);
    isOpen = open;
    panel.hidden = !open;
    if (launcher) launcher.ariaExpanded = String(open);
    mark?.setAttribute('d', open ? 'M6 9l6 6 6-6' : closedMark);
    viewport?.fit(open);
    remember();
    countUnread();
  };

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
        return countUnread();
      }
      const hadFocus = root.activeElement !== null;
      show(false);
      // A page with launchers of its own gets the focus back where it was.
      const back = launcher.hidden ? (opener as HTMLElement | null) : launcher;
      if (hadFocus) back?.focus({ preventScroll: true });
    },
    toggle() {
      if (isOpen) handle.close();
      else handle.open();
    },
    async send(text) {
      const { context } = page;
      (await serving).send(text, context);
    },
    prefill: async (text) => (await serving).prefill(text),
    async identify(token) {
      const called = Date.now();
      const known = serving.then((calls) => calls.identify(token, called));
      page.ready = known.catch(() => {});
      const claim = await known;
      await claim();
    },
    async logout() {
      page.ready = undefined;
      // At once: the page may be left, or the service be out of reach.
      (chatOf() ?? saved).forget('');
      await (await serving).logout();
    },
    context(values) {
      page.context = values;
    },
    tool(tool) {
      page.offer(tool);
      void serving.then((calls) => calls.runTools());
    },
    update(changed) {
      chosen = { ...chosen, ...changed, labels: { ...chosen.labels, ...changed.labels } };
      panel.dataset.side = launcher?.dataset.side ?? 'end';
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
      chatOf()?.destroy();
      saved.close();
      viewport?.release();
    },
  };

  panel.addEventListener('keydown', (event) => {
    if (launcher && event.key === 'Escape' && !event.isComposing) handle.close();
  });

  render(
    <PanelView
      panel={view}
      fallbackName={launcher?.ariaLabel ?? 'Chat'}
      field={field}
      onRetry={reconfigure}
      onClose={launcher ? () => handle.close() : null}
      onBroken={(error) => page.report(error)}
    />,
    panel,
  );
  void configure();
  const incomplete = () => view.set({ incomplete: true });
  void loadLater(() => import('../answers/answers.ts'), 'answers', root, signal, incomplete).then(
    (answers) => {
      if (!answers) return;
      view.set({ answers });
      chatOf()?.begin(answers);
    },
  );
  void loadLater(() => import('../cards/cards.ts'), 'cards', root, signal, incomplete).then((cards) => {
    if (!cards) return;
    updateLabels({ ...view.state, cards });
    void chatOf()?.complete(cards);
    requestAnimationFrame(focusField);
    cards.askBeforeLeaving(host, panel);
    const entry = (options.history ?? false) === false ? undefined : storageKey;
    viewport = cards.trackViewport(panel, entry, () => handle.close());
    viewport.fit(isOpen);
    completed.resolve(cards);
    void loadLater(() => import('../cards/serve-page.ts'), 'part', root, signal, incomplete).then(
      (part) => part && served.resolve(part),
    );
  });
  return handle;
}
