import { join } from 'node:path';
import { root } from './common.ts';

const path = join(root, 'src/own-globals.ts');

/** By global, the export that stands for it wherever the code names it. */
export const ownGlobals = Object.fromEntries(
  Object.entries({
    Promise: 'OwnPromise',
    Map: 'OwnMap',
    Set: 'OwnSet',
    URL: 'OwnURL',
    Array: 'OwnArray',
    CustomEvent: 'OwnCustomEvent',
    JSON: 'OwnJSON',
    setTimeout: 'ownSetTimeout',
    clearTimeout: 'ownClearTimeout',
    fetch: 'ownFetch',
  }).map(([name, exported]) => [name, [path, exported] as [string, string]]),
);
