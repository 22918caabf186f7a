/** Where something is: in the page, or inside the open shadow root of `host`. */
export interface Place {
  readonly host: string | null;
  readonly inside: string;
}

/** What a page measures of itself; `installProbe` puts it there. */
export interface Probe {
  /** Times of the frames, from the page's beginning. */
  readonly frames: readonly number[];
  readonly longTasks: readonly { readonly at: number; readonly duration: number }[];
  /** When the place first had an extent, from the page's beginning, after it was painted. */
  whenVisible(place: Place): Promise<number>;
  /**
   * When each marker was first in the text of the place, by the clock on the wall, after it was painted. Those that are
   * not there `withinMs` from now are left out.
   */
  whenWritten(place: Place, markers: readonly string[], withinMs: number): Promise<number[]>;
  /** When the end of a conversation was first in view, and when its beginning was there as well. */
  whenRestored(place: Place, first: string, last: string): Promise<{ shown: number; whole: number }>;
}

declare global {
  var probe: Probe;
}

/** Runs in the page before anything else, so it must not refer to anything outside itself. */
export function installProbe(): void {
  const frames: number[] = [];
  const longTasks: { at: number; duration: number }[] = [];
  const looks = new Set<() => void>();

  // What is written in a frame's callbacks is painted at the end of it; a message comes after that.
  const afterFrame = new MessageChannel();
  afterFrame.port1.onmessage = () => {
    for (const look of looks) look();
  };
  const onFrame = (time: number) => {
    frames.push(time);
    if (looks.size > 0) afterFrame.port2.postMessage(null);
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ at: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });

  const find = ({ host, inside }: Place) =>
    (host === null ? document : document.querySelector(host)?.shadowRoot)?.querySelector(inside);

  /** Looks after every frame until there is something. */
  const until = <Value>(look: () => Value | undefined) =>
    new Promise<Value>((resolve) => {
      const again = () => {
        const value = look();
        if (value === undefined) return;
        looks.delete(again);
        resolve(value);
      };
      looks.add(again);
    });

  /** The text node that holds the marker, among those at one end: reading all of a long text would be a task of its own. */
  const textAtEnd = (root: Node, marker: string, end: 'first' | 'last') => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    let node = end === 'first' ? walker.nextNode() : walker.lastChild();
    for (let steps = 0; node && steps < 100; steps++) {
      if (node.nodeValue?.includes(marker)) return node;
      node = end === 'first' ? walker.nextNode() : walker.previousNode();
    }
    return null;
  };
  const isInView = (node: Node) => {
    const range = document.createRange();
    range.selectNode(node);
    const { top, bottom } = range.getBoundingClientRect();
    return bottom > top && top < innerHeight && bottom > 0;
  };

  globalThis.probe = {
    frames,
    longTasks,
    whenVisible: (place) =>
      until(() => {
        const element = find(place);
        return element && element.getBoundingClientRect().height > 0 ? performance.now() : undefined;
      }),
    whenWritten(place, markers, withinMs) {
      const seen: number[] = [];
      const end = performance.now() + withinMs;
      return until(() => {
        const text = find(place)?.textContent ?? '';
        while (seen.length < markers.length && text.includes(markers[seen.length]!)) seen.push(Date.now());
        return seen.length === markers.length || performance.now() > end ? seen : undefined;
      });
    },
    whenRestored(place, first, last) {
      let shown: number | undefined;
      return until(() => {
        const log = find(place);
        if (!log) return;
        const end = textAtEnd(log, last, 'last');
        if (end && isInView(end)) shown ??= performance.now();
        return shown !== undefined && textAtEnd(log, first, 'first')
          ? { shown, whole: performance.now() }
          : undefined;
      });
    },
  };
}
