import type { Conversation, WidgetConfig } from '@parley/conversation';
import type { ReadonlySignal } from '@preact/signals-core';
import { askBeforeLeaving } from '../host/ask-before-leaving.ts';
import { judgeCall } from '../host/judge-call.ts';
import { inLanguage } from '@parley/conversation';
import type { MountOptions } from '../loader/widget-api.ts';
import { accentTokens } from './accent.ts';
import { showTeaser } from './show-teaser.ts';
import type { PanelState } from './panel-view.tsx';
import { showUnread } from './show-unread.ts';
import { trackViewport } from './track-viewport.ts';

type Inside = Pick<MountOptions, 'root' | 'launcher' | 'options'> & {
  storageKey: string | undefined;
  panel: HTMLElement;
  conversation: Conversation;
  view: ReadonlySignal<Pick<PanelState, 'labels' | 'locale'>>;
  /** The agent's settings, once they are here. */
  ready: Promise<WidgetConfig>;
  signal: AbortSignal;
  /** Tells what the launcher opens, and how much of it is new. */
  nameLauncher: (unread: string | false) => void;
  close: () => void;
};

/** What goes on around a panel: on its launcher, in its window and on the links of its page. */
export function attachToPage(inside: Inside) {
  const { root, panel, launcher, storageKey, options, conversation, view, signal, nameLauncher, close } =
    inside;
  askBeforeLeaving(root.host, panel);
  try {
    judgeCall('update', { launcher: options.launcher });
  } catch (error) {
    console.error(error);
  }
  const rename = showUnread(root.host, launcher, conversation, signal, view, nameLauncher);
  const entry = launcher && (options.history ?? false) !== false ? storageKey : undefined;
  const viewport = trackViewport(panel, entry, close);
  void inside.ready.then(({ widget }) => {
    const said = inLanguage(widget, view.value.locale).teaser;
    const text = options.teaser === undefined ? '' : options.teaser || said;
    if (text && launcher && storageKey)
      showTeaser({ root, panel, launcher, storageKey, text, close: view.value.labels.close!, signal });
  });
  const tint = (colour: string) => {
    for (const [name, value] of Object.entries(accentTokens(colour)))
      (root.host as HTMLElement).style.setProperty(name, value);
  };
  return { rename, tint, ...viewport };
}
