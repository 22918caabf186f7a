import { expect, type Page } from '@playwright/test';

interface Timers {
  stopped: boolean;
  /** What was due while they were stopped, an interval once. */
  due: Map<number, { act: () => void; every: number | null }>;
}
type Timed = typeof globalThis & { timers: Timers };

/**
 * The timers of this tab can be stopped, and of no other, as they would be with `page.clock`: however long another tab
 * is held up by a busy machine, this one does not lose its patience with it. For a tab that is not opened yet.
 */
export const allowPatience = (page: Page) =>
  page.addInitScript(() => {
    const timers: Timers = { stopped: false, due: new Map() };
    const { setTimeout, setInterval, clearTimeout } = globalThis;
    const stoppable =
      (set: (act: () => void, time: number) => unknown, repeats: boolean) =>
      (act: () => void, time = 0) => {
        const timer = set(() => {
          // A page that is not in front draws by a timer of 250 ms; what waits for others waits a second and more.
          if (timers.stopped && time >= 500) timers.due.set(timer, { act, every: repeats ? time : null });
          else act();
        }, time) as number;
        return timer;
      };
    const clear = (timer?: number) => {
      if (timer !== undefined) timers.due.delete(timer);
      clearTimeout(timer);
    };
    Object.assign(globalThis, {
      timers,
      setTimeout: stoppable(setTimeout, false),
      setInterval: stoppable(setInterval, true),
      clearTimeout: clear,
      clearInterval: clear,
    });
  });

/** From now on this tab waits for others, however long they take. */
export const bePatient = (page: Page) =>
  page.evaluate(() => {
    (globalThis as Timed).timers.stopped = true;
  });

/** Time passes in this tab again, and what was due happens. */
export const endPatience = (page: Page) =>
  page.evaluate(() => {
    const { timers } = globalThis as Timed;
    timers.stopped = false;
    const acts = [...timers.due.values()].map(({ act }) => act);
    timers.due.clear();
    for (const act of acts) act();
  });

/** A patient tab does once what it does in such an interval, when that is due, and goes on being patient. */
export const passInterval = (page: Page, milliseconds: number) =>
  expect
    .poll(() =>
      page.evaluate((time) => {
        const { due } = (globalThis as Timed).timers;
        const found = [...due].find(([, { every }]) => every === time);
        if (!found) return false;
        due.delete(found[0]);
        found[1].act();
        return true;
      }, milliseconds),
    )
    .toBe(true);
