import type { Browser, Page } from '@playwright/test';

/** The pages that it follows, one after the other, with the lap and the time below. */
interface Film {
  /** What it shows from now on. */
  follow(page: Page): Promise<void>;
  /** What stands below, beside the time since the film began. */
  caption(text: string): Promise<void>;
  /** Ends it: the film as WebM. */
  end(): Promise<Buffer>;
}

const width = 960;
const height = 600;
const captionHeight = 40;
const framesPerSecond = 10;
const bitsPerSecond = 1_000_000;

/** Films with the browser's own encoder: Playwright's videos take a program that not every machine can download. */
export async function startFilm(browser: Browser): Promise<Film> {
  const context = await browser.newContext({ viewport: { width, height } });
  const projector = await context.newPage();
  await projector.evaluate(prepare, { width, height, captionHeight, bitsPerSecond });
  let filmed: Page | undefined;
  let isDrawing = false;
  const draw = async (frame: Buffer) => {
    // A frame that comes while another is drawn is left out: the film may not hold up what it shows.
    if (isDrawing) return;
    isDrawing = true;
    await projector.evaluate((jpeg) => globalThis.film.draw(jpeg), frame.toString('base64'));
    isDrawing = false;
  };
  return {
    async follow(page) {
      await filmed?.screencast.stop();
      filmed = page;
      await page.screencast.start({
        size: { width, height },
        fps: framesPerSecond,
        quality: 80,
        onFrame: ({ data }) => void draw(data),
      });
    },
    caption: (text) => projector.evaluate((caption) => globalThis.film.caption(caption), text),
    async end() {
      await filmed?.screencast.stop();
      const film = await projector.evaluate(() => globalThis.film.end());
      await context.close();
      return Buffer.from(film, 'base64');
    },
  };
}

declare global {
  // oxlint-disable-next-line no-var -- only so is it a property of `globalThis`.
  var film: {
    draw(jpeg: string): Promise<void>;
    caption(text: string): void;
    end(): Promise<string>;
  };
}

/** Runs in the projector's page. */
function prepare(size: {
  width: number;
  height: number;
  captionHeight: number;
  bitsPerSecond: number;
}): void {
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height + size.captionHeight;
  const drawing = canvas.getContext('2d')!;
  drawing.font = '20px sans-serif';
  drawing.textBaseline = 'middle';
  const beganAt = performance.now();
  let text = '';
  const drawCaption = () => {
    drawing.fillStyle = '#000';
    drawing.fillRect(0, size.height, size.width, size.captionHeight);
    drawing.fillStyle = '#fff';
    const seconds = ((performance.now() - beganAt) / 1_000).toFixed(1);
    drawing.fillText(`${seconds} s   ${text}`, 16, size.height + size.captionHeight / 2);
  };
  const recorder = new MediaRecorder(canvas.captureStream(), {
    mimeType: 'video/webm;codecs=vp8',
    videoBitsPerSecond: size.bitsPerSecond,
  });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  drawCaption();
  recorder.start();
  // What is not drawn anew is not in the film: the time goes on where nothing else does.
  const clock = setInterval(drawCaption, 500);
  globalThis.film = {
    async draw(jpeg) {
      const bytes = Uint8Array.from(atob(jpeg), (character) => character.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
      drawing.drawImage(image, 0, 0, size.width, size.height);
      image.close();
      drawCaption();
    },
    caption(given) {
      text = given;
      drawCaption();
    },
    async end() {
      clearInterval(clock);
      const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
      recorder.stop();
      await stopped;
      const reader = new FileReader();
      const read = new Promise((resolve) => reader.addEventListener('load', resolve));
      reader.readAsDataURL(new Blob(parts));
      await read;
      return typeof reader.result === 'string' ? (reader.result.split(',', 2)[1] ?? '') : '';
    },
  };
}
