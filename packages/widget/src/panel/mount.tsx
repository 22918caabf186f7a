import { effect, signal } from '@preact/signals';
import { render } from 'preact';
import { ParleyError } from '@parley/client/error';
import { ChatModel } from '../chat/chat-model.ts';
import { createConversationStore } from '../chat/conversation-store.ts';
import { loadConfig } from '../chat/widget-config.ts';
import { accentTokens } from './accent.ts';
import css from './panel.css?inline';
import { loadTurns, type Turns, TurnsContext } from './lazy-turns.ts';
import { PanelView, type Setup } from './panel-view.tsx';
import { trackViewport } from './track-viewport.ts';

export type Panel = {
  open(options?: { focus?: boolean }): void;
  close(): void;
  toggle(): void;
  destroy(): void;
};

export type MountOptions = {
  root: ShadowRoot;
  /** The service's address, without a slash at the end. */
  base: string;
  key: string;
  /** Absent: the panel fills its place and is always open. */
  launcher?: HTMLButtonElement;
  /** Where `sessionStorage` notes that the panel is open. */
  openKey?: string;
  theme?: string | undefined;
  accent?: string | undefined;
};

/** Puts the panel into a shadow root, closed if it has a launcher. */
export function mount(options: MountOptions): Panel {
  const { root, base, key, launcher, openKey } = options;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const host = root.host as HTMLElement;

  const panel = document.createElement('div');
  panel.id = 'panel';
  panel.className = 'panel';
  panel.tabIndex = -1;
  panel.setAttribute('role', launcher ? 'dialog' : 'region');
  panel.setAttribute('aria-labelledby', 'title');
  panel.dataset.mode = launcher ? 'bubble' : 'inline';
  panel.dataset.side = launcher?.dataset.side ?? 'end';
  panel.hidden = launcher !== undefined;
  root.append(panel);

  const setAccent = (colour: string) => {
    const tokens = accentTokens(colour);
    host.style.setProperty('--accent', tokens.accent);
    host.style.setProperty('--on-accent', tokens.onAccent);
    host.style.setProperty('--accent-on-light', tokens.onLight);
    host.style.setProperty('--accent-on-dark', tokens.onDark);
  };
  setAccent(/^#[\da-f]{6}$/i.test(options.accent ?? '') ? options.accent! : '#2563eb');
  if (options.theme) panel.dataset.theme = options.theme;

  const setup = signal<Setup>({ kind: 'loading' });
  const store = createConversationStore(base, key);
  const field = { current: null as HTMLTextAreaElement | null };
  const isOpen = signal(launcher === undefined);
  const release = trackViewport(panel, isOpen);

  const remember = (open: boolean) => {
    try {
      if (openKey && open) sessionStorage.setItem(openKey, '1');
      else if (openKey) sessionStorage.removeItem(openKey);
    } catch {
      // Storage is blocked: the next page starts closed.
    }
  };

  const focusField = () => {
    // On a touch screen the keyboard would cover what the visitor came to read.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  };

  const configure = async () => {
    setup.value = { kind: 'loading' };
    try {
      const config = await loadConfig(base, key);
      if (!options.theme) panel.dataset.theme = config.widget.theme;
      if (!options.accent) setAccent(config.widget.accent);
      const chat = new ChatModel({ baseUrl: base, key, platform: config.platform }, store);
      setup.value = { kind: 'ready', config, chat };
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      console.error(`Parley: ${error.message}`);
      setup.value = { kind: 'failed', error };
    }
  };

  const handle: Panel = {
    open({ focus = true } = {}) {
      panel.hidden = false;
      isOpen.value = true;
      launcher?.setAttribute('aria-expanded', 'true');
      remember(true);
      if (!focus) return;
      panel.focus({ preventScroll: true });
      focusField();
    },
    close() {
      if (!launcher) return;
      const hadFocus = root.activeElement !== null;
      panel.hidden = true;
      isOpen.value = false;
      launcher.setAttribute('aria-expanded', 'false');
      remember(false);
      if (hadFocus) launcher.focus({ preventScroll: true });
    },
    toggle() {
      if (isOpen.value) handle.close();
      else handle.open();
    },
    destroy() {
      render(null, panel);
      panel.remove();
      if (setup.value.kind === 'ready') setup.value.chat[Symbol.dispose]();
      release();
    },
  };

  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) handle.close();
  });

  const turns = signal<Turns | null>(null);
  render(
    <TurnsContext.Provider value={turns}>
      <PanelView
        setup={setup}
        fallbackName={launcher?.ariaLabel ?? 'Chat'}
        field={field}
        onRetry={() => void configure()}
        onClose={launcher ? () => handle.close() : null}
      />
    </TurnsContext.Provider>,
    panel,
  );
  loadTurns(root, (loaded) => (turns.value = loaded)).catch((error: unknown) => {
    console.error('Parley could not load the conversation.', error);
  });
  effect(() => {
    if (setup.value.kind !== 'ready') return;
    requestAnimationFrame(() => {
      if (root.activeElement === panel) focusField();
    });
  });
  if (launcher) {
    // What waits for the visitor shows on the closed launcher.
    effect(() => {
      const count = setup.value.kind === 'ready' ? setup.value.chat.transcript.value.requests.length : 0;
      if (count > 0 && !isOpen.value) launcher.dataset.badge = String(count);
      else delete launcher.dataset.badge;
    });
  }
  void configure();
  return handle;
}

/** The page of an iframe: the key comes from its own address. */
export function mountFrame(): Panel {
  const host = document.createElement('div');
  host.dataset.parley = '';
  document.body.append(host);
  const query = new URLSearchParams(location.search);
  return mount({
    root: host.attachShadow({ mode: 'open' }),
    base: new URL(/* @vite-ignore */ '..', import.meta.url).href.replace(/\/$/, ''),
    key: query.get('key') ?? '',
    theme: query.get('theme') ?? undefined,
  });
}
