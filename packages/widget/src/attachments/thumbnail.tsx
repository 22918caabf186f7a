import { useEffect, useRef } from 'preact/hooks';

type Props = {
  /** A file here, or the address of one. */
  source: Blob | string;
  /** What it shows, unless its name is next to it. */
  label?: string;
  onError: () => void;
};

/** A picture drawn on a canvas: a page's policy has a say in images, and may allow only its own. */
export function Thumbnail({ source, label, onError }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const ending = new AbortController();
    draw(canvas.current!, source, ending.signal).catch(() => {
      if (!ending.signal.aborted) onError();
    });
    return () => ending.abort();
  }, [source]);
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img' as const, 'aria-label': label };
  return <canvas ref={canvas} class="thumbnail" {...named} />;
}

async function draw(canvas: HTMLCanvasElement, source: Blob | string, signal: AbortSignal): Promise<void> {
  await seen(canvas, signal);
  const blob = typeof source === 'string' ? await load(source, signal) : source;
  const picture = await createImageBitmap(blob);
  // A panel closed meanwhile has no size.
  await seen(canvas, signal);
  const { clientWidth, clientHeight } = canvas;
  canvas.width = clientWidth * 2;
  canvas.height = clientHeight * 2;
  const scale = Math.max(canvas.width / picture.width, canvas.height / picture.height);
  const width = canvas.width / scale;
  const height = canvas.height / scale;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(
    picture,
    (picture.width - width) / 2,
    (picture.height - height) / 2,
    width,
    height,
    0,
    0,
    canvas.width,
    canvas.height,
  );
  picture.close();
}

async function load(address: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(address, { credentials: 'omit', signal });
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  return response.blob();
}

/** Long conversations load what is looked at. */
function seen(element: Element, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(element);
    signal.addEventListener('abort', () => observer.disconnect());
  });
}
