import type { mount, Panel } from '../panel/mount.tsx';
import css from './launcher.css?inline';

const svg = 'http://www.w3.org/2000/svg';
const marks = {
  'open-mark': 'M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3 21l2-5.8A8.4 8.4 0 1 1 21 11.5Z',
  'close-mark': 'M6 9l6 6 6-6',
};

/** The script's own tag: `currentScript` is null when a bundler or a tag manager has run it in another way. */
const tag =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[data-key][src*="/parley.js"]');

function start({ src, dataset }: HTMLScriptElement) {
  const { key = '', name = 'Chat', theme, accent, position = 'end' } = dataset;
  const base = src.replace(/\/v1\/parley\.js.*$/, '');
  const openKey = `parley:open:${base}:${key}`;

  const host = document.createElement('div');
  host.dataset.parley = key;
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];

  const button = document.createElement('button');
  button.className = 'launcher';
  button.type = 'button';
  button.dataset.side = position;
  button.ariaLabel = name;
  button.ariaExpanded = 'false';
  button.ariaHasPopup = 'dialog';
  button.setAttribute('aria-controls', 'panel');
  for (const [mark, shape] of Object.entries(marks)) {
    const icon = document.createElementNS(svg, 'svg');
    const path = document.createElementNS(svg, 'path');
    icon.setAttribute('class', mark);
    icon.setAttribute('viewBox', '0 0 24 24');
    icon.setAttribute('aria-hidden', 'true');
    path.setAttribute('d', shape);
    icon.append(path);
    button.append(icon);
  }
  root.append(button);
  document.body.append(host);

  let panel: Promise<Panel> | undefined;
  const load = () =>
    (panel ??= (import(/* @vite-ignore */ `${base}/${PANEL}`) as Promise<{ mount: typeof mount }>)
      .then((module) => module.mount({ root, base, key, launcher: button, openKey, theme, accent }))
      .catch((error: unknown) => {
        panel = undefined;
        throw error;
      }));
  const failed = (error: unknown) => console.error('Parley could not load its panel.', error);

  const intent = () => void load().catch(failed);
  button.addEventListener('pointerenter', intent);
  button.addEventListener('focus', intent);
  button.addEventListener('click', () => {
    load().then((each) => each.toggle(), failed);
  });

  // Whoever had the panel open in this tab finds it open on the next page.
  let wasOpen = false;
  try {
    wasOpen = sessionStorage.getItem(openKey) === '1';
  } catch {
    // Storage is blocked: the panel starts closed.
  }
  if (wasOpen) load().then((each) => each.open({ focus: false }), failed);
}

if (!tag?.dataset.key) console.error('Parley: the script tag needs data-key="pk_…".');
else if (document.body) start(tag);
else addEventListener('DOMContentLoaded', () => start(tag));
