import { afterEach, beforeEach, describe } from 'vitest';
import { testAccepting } from './contract/accepting.ts';
import { testFiles } from './contract/files.ts';
import { testRandomly } from './contract/random.ts';
import { testReserving } from './contract/reserving.ts';
import { testRunning } from './contract/running.ts';
import { testSettings } from './contract/settings.ts';
import { testVisitors } from './contract/visitors.ts';
import type { Store } from './store.ts';

/** What every engine must do. `open` gives an empty store each time. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(name, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(() => store.close());

    describe('accepting', () => testAccepting(() => store));
    describe('running', () => testRunning(() => store));
    describe('reserving', () => testReserving(() => store));
    describe('settings and removal', () => testSettings(() => store));
    describe('files', () => testFiles(() => store));
    describe('visitors and feedback', () => testVisitors(() => store));
    describe('random interleavings', () => testRandomly(open));
  });
}
