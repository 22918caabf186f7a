import type { LoadFigures } from './measure-load.ts';
import type { RestoreFigures } from './measure-restore.ts';
import { type StreamFigures, watchedMs } from './measure-stream.ts';
import { medianOf, percent, printTable, printVerdict, type Runs } from './table.ts';

const longTaskMs = 50;
const shortTasksOnly = 'none over 50';
const oursIn = <Figures>(runs: Runs<Figures>) => {
  const [ours, ...peers] = [...runs.keys()] as [string, ...string[]];
  return {
    ours: (of: (figures: Figures) => number) => medianOf(runs, ours, of),
    /** The best of the others. */
    best: (of: (figures: Figures) => number) => Math.min(...peers.map((peer) => medianOf(runs, peer, of))),
  };
};
const task = (duration: number) => (duration === 0 ? shortTasksOnly : `${duration.toFixed(0)} ms`);

export function reportLoad(runs: Runs<LoadFigures>, slowdown: number): void {
  const { ours } = oursIn(runs);
  const throttle = slowdown === 1 ? '' : `, CPU ${slowdown} x slower`;
  printTable(`First visit${throttle}`, runs, [
    { name: 'kB until somebody opens it', of: ({ kB }) => kB, digits: 1 },
    { name: 'launcher visible, ms', of: ({ visibleMs }) => visibleMs, digits: 0 },
    {
      name: 'longest task, ms',
      of: ({ longestTaskMs }) => longestTaskMs,
      digits: 0,
      zero: shortTasksOnly,
    },
    { name: 'open to field visible, ms', of: ({ openMs }) => openMs, digits: 0 },
  ]);
  const longest = ours(({ longestTaskMs }) => longestTaskMs);
  printVerdict('no task over 50 ms', longest === 0, task(longest));
  if (slowdown > 1) return;
  const open = ours(({ openMs }) => openMs);
  printVerdict('open within 250 ms', open <= 250, `${open.toFixed(0)} ms`);
}

export function reportRestore(runs: Runs<RestoreFigures>): void {
  const { ours } = oursIn(runs);
  printTable('1,000 restored messages', runs, [
    { name: 'last message in view, ms', of: ({ shownMs }) => shownMs, digits: 0 },
    { name: 'all messages there, ms', of: ({ wholeMs }) => wholeMs, digits: 0 },
    {
      name: 'longest task, ms',
      of: ({ longestTaskMs }) => longestTaskMs,
      digits: 0,
      zero: shortTasksOnly,
    },
    { name: 'main thread for a key, ms', of: ({ perKeyMs }) => perKeyMs, digits: 1 },
    { name: 'heap, MB', of: ({ heapMB }) => heapMB, digits: 1 },
  ]);
  const longest = ours(({ longestTaskMs }) => longestTaskMs);
  const key = ours(({ perKeyMs }) => perKeyMs);
  const heap = ours(({ heapMB }) => heapMB);
  printVerdict('no task over 50 ms', longest === 0, task(longest));
  printVerdict('at most 5 ms for a key', key <= 5, `${key.toFixed(1)} ms`);
  printVerdict('at most 15 MB of heap', heap <= 15, `${heap.toFixed(1)} MB`);
}

/** The longest task over 50 ms of each restoring; 0 of one that had none. */
export function reportLongTasks(longest: readonly number[]): void {
  const long = longest.filter((each) => each > 0);
  printVerdict(
    `no task over 50 ms in 1,000 restored messages, at least 9 times of 10`,
    long.length * 10 <= longest.length,
    `${long.length} of ${longest.length} had one${long.length > 0 ? `, of ${long.map((each) => each.toFixed(0)).join(', ')} ms` : ''}`,
  );
}

export function reportStream(runs: Runs<StreamFigures>, slowdown: number, rounds: number): void {
  const { ours, best } = oursIn(runs);
  const strain = slowdown === 1 ? ' at 100 a second' : `, CPU ${slowdown} x, ${rounds} rounds`;
  const infinite = `not in ${watchedMs / 1_000} s`;
  printTable(`2,000 tokens${strain}`, runs, [
    { name: 'main thread, s', of: ({ mainThreadS }) => mainThreadS, digits: 2 },
    { name: '  script in callbacks, s', of: ({ scriptS }) => scriptS, digits: 2 },
    { name: '  layout and style, s', of: ({ layoutAndStyleS }) => layoutAndStyleS, digits: 2 },
    { name: 'tasks over 50 ms', of: ({ longTasks }) => longTasks, digits: 0 },
    {
      name: 'longest task, ms',
      of: ({ longestTaskMs }) => longestTaskMs,
      digits: 0,
      zero: shortTasksOnly,
    },
    { name: 'frame callbacks dropped, %', of: ({ droppedShare }) => droppedShare * 100, digits: 1 },
    {
      name: 'frames on screen dropped, %',
      of: ({ notPresentedShare }) => notPresentedShare * 100,
      digits: 1,
    },
    { name: 'worst frame, ms', of: ({ worstFrameMs }) => worstFrameMs, digits: 0 },
    { name: 'text behind its sending, ms', of: ({ behindMs }) => behindMs, digits: 0, infinite },
    { name: '  at most, ms', of: ({ maxBehindMs }) => maxBehindMs, digits: 0, infinite },
  ]);
  const dropped = ours(({ droppedShare }) => droppedShare);
  const tasks = ours(({ longTasks }) => longTasks);
  const behind = ours(({ maxBehindMs }) => maxBehindMs);
  const busy = ours(({ mainThreadS }) => mainThreadS);
  const leastBusy = best(({ mainThreadS }) => mainThreadS);
  if (slowdown === 1) {
    printVerdict('at most 5 % of frames dropped', dropped <= 0.05, percent(dropped));
    printVerdict(`at most one task over ${longTaskMs} ms`, tasks <= 1, `${tasks}`);
    printVerdict('text never more than 100 ms behind', behind <= 100, `${behind.toFixed(0)} ms`);
  } else {
    // A processor that is fast enough drops none for any of them.
    const leastDropped = best(({ droppedShare }) => droppedShare);
    const missing = ours(({ notPresentedShare }) => notPresentedShare);
    const leastMissing = best(({ notPresentedShare }) => notPresentedShare);
    printVerdict(
      'fewer frame callbacks dropped than by either peer',
      dropped < leastDropped,
      `${percent(dropped)} beside ${percent(leastDropped)}`,
    );
    printVerdict(
      'fewer frames on screen dropped than by either peer',
      missing < leastMissing,
      `${percent(missing)} beside ${percent(leastMissing)}`,
    );
  }
  printVerdict(
    'less main-thread time than either peer',
    busy < leastBusy,
    `${busy.toFixed(2)} s beside ${leastBusy.toFixed(2)} s`,
  );
}
