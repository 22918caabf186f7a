import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from '@playwright/test';

/** The pages that it follows, one after the other, with the lap and the time below. */
interface Film {
  /** What it shows from now on. */
  follow(page: Page): Promise<void>;
  /** What stands below, beside the time since the film began. */
  caption(text: string): void;
  /** Ends it: the page that plays it. */
  end(): Promise<string>;
}

interface Picture {
  readonly seconds: number;
  readonly caption: string;
  readonly jpeg: string;
}

/** A picture takes a tenth of a second of the processor, of a page that stands still too. */
const intervalMs = 1_000;

/** Films without an encoder: the browser's own takes three times as much of the processor as all that it shows. */
export function startFilm(): Film {
  const beganAt = performance.now();
  const pictures: Picture[] = [];
  const ended = new AbortController();
  let camera: CDPSession | undefined;
  let caption = '';
  const take = async (): Promise<void> => {
    const taken = await camera
      ?.send('Page.captureScreenshot', { format: 'jpeg', quality: 80, optimizeForSpeed: true })
      // Of a page that is left or closed meanwhile.
      .catch(() => undefined);
    const last = pictures.at(-1);
    if (!taken || (taken.data === last?.jpeg && caption === last.caption)) return;
    pictures.push({ seconds: (performance.now() - beganAt) / 1_000, caption, jpeg: taken.data });
  };
  const takeAll = async (): Promise<void> => {
    try {
      for (;;) {
        await take();
        await pause(intervalMs, undefined, { signal: ended.signal });
      }
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
  };
  const taking = takeAll();
  return {
    async follow(page) {
      await camera?.detach();
      camera = await page.context().newCDPSession(page);
    },
    caption(text) {
      caption = text;
    },
    async end() {
      ended.abort();
      // Whoever waits for a picture of it waits no more.
      await camera?.detach();
      await taking;
      return player(pictures, (performance.now() - beganAt) / 1_000);
    },
  };
}

const player = (pictures: readonly Picture[], seconds: number): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Film</title>
<style>body { font: 20px sans-serif; max-width: 960px } img, input { width: 100% }</style>
<img alt="">
<input type="range" aria-label="Time" min="0" step="0.1" value="0" max="${seconds}">
<p></p>
<script>
const pictures = ${JSON.stringify(pictures).replaceAll('<', String.raw`\u003c`)};
const [picture, time, line] = ['img', 'input', 'p'].map((name) => document.querySelector(name));
const show = () => {
  const { jpeg, caption } = pictures.findLast((each) => each.seconds <= time.valueAsNumber) ?? pictures[0];
  picture.src = 'data:image/jpeg;base64,' + jpeg;
  line.textContent = time.valueAsNumber.toFixed(1) + ' s   ' + caption;
};
time.addEventListener('input', show);
setInterval(() => {
  time.valueAsNumber += 0.1;
  show();
}, 100);
</script>
</html>
`;
