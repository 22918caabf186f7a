import css from './print.css?inline';
import pageCss from './print-page.css?inline';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
const pageSheet = new CSSStyleSheet();
pageSheet.replaceSync(pageCss);

/** In so many frames without a further turn of the past no more of it comes. */
const maxFrames = 300;

/**
 * Prints the conversation and nothing of the page around it: a copy stands beside the page's body for that long, and
 * the body is not printed. `abandoned`: the visitor or the conversation is another one.
 */
export async function printConversation(
  panel: HTMLElement,
  turns: number,
  abandoned: AbortSignal,
): Promise<void> {
  // The past is drawn a little at a time.
  const countDrawn = () => panel.querySelectorAll('.slice .turn').length;
  let drawn = countDrawn();
  for (let frames = 0; drawn < turns && frames < maxFrames; frames++) {
    await new Promise(requestAnimationFrame);
    if (abandoned.aborted || !panel.isConnected) return;
    const now = countDrawn();
    if (now !== drawn) frames = 0;
    drawn = now;
  }
  const log = panel.querySelector('.log-content');
  const title = panel.querySelector('.title');
  if (!log || !title) return;

  const root = panel.getRootNode() as ShadowRoot;
  const original = root.host as HTMLElement;
  const host = document.createElement('div');
  host.id = 'parley-print';
  host.dir = original.dir;
  host.style.cssText = original.style.cssText;
  const printRoot = host.attachShadow({ mode: 'open' });
  printRoot.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const copy = document.createElement('div');
  copy.className = 'panel';
  copy.lang = panel.lang;
  copy.append(title.cloneNode(true), log.cloneNode(true));
  // A canvas is copied without what is on it.
  const pictures = log.querySelectorAll('canvas');
  for (const [index, canvas] of copy.querySelectorAll('canvas').entries())
    if (canvas.width > 0) canvas.getContext('2d')!.drawImage(pictures[index]!, 0, 0);
  for (const time of copy.querySelectorAll('time'))
    time.textContent = new Date(time.dateTime).toLocaleString(panel.lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
  printRoot.append(copy);
  document.documentElement.append(host);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, pageSheet];

  const printed = new AbortController();
  const restore = () => {
    printed.abort();
    host.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== pageSheet);
  };
  // A frame that may not print says nothing: the visitor's next move ends it.
  for (const type of ['afterprint', 'pointerdown', 'keydown'])
    addEventListener(type, restore, { signal: printed.signal, capture: true });
  abandoned.addEventListener('abort', restore, { signal: printed.signal });
  await Promise.allSettled(Array.from(copy.querySelectorAll('img'), (image) => image.decode()));
  if (!printed.signal.aborted) print();
}
