let frame: HTMLIFrameElement | undefined;

/** A window that nobody has changed anything in. */
function untouched(): typeof globalThis {
  if (!frame) {
    frame = document.createElement('iframe');
    frame.style.setProperty('display', 'none', 'important');
    document.documentElement.append(frame);
  }
  return (frame.contentWindow as typeof globalThis | null) ?? globalThis;
}

/**
 * Where the globals are what the browser made them. A page may have put something else in their place, such as
 * `const URL = '…'` in a classic script or a `Promise` of an old library: where they do not do what the browser's own do,
 * they are an empty frame's. The build puts the exports wherever the code names a global.
 */
function sound(): typeof globalThis {
  const { Array, CustomEvent, JSON, Map, Promise, Set, setTimeout, URL } = globalThis;
  try {
    if (
      Array.from([0], () => 1)[0] &&
      new CustomEvent('a', { composed: true }).composed &&
      JSON.parse(JSON.stringify(1)) &&
      new Map([[1, 1]]).get(1) &&
      Promise.withResolvers() &&
      new Set([1]).has(1) &&
      setTimeout(() => {}) &&
      new URL('a:b')
    )
      return globalThis;
  } catch {
    // One is something else.
  }
  return untouched();
}

const browser = sound();
export const {
  Array: OwnArray,
  clearTimeout: ownClearTimeout,
  CustomEvent: OwnCustomEvent,
  Map: OwnMap,
  Promise: OwnPromise,
  Set: OwnSet,
  setTimeout: ownSetTimeout,
  URL: OwnURL,
} = browser;
const { parse, stringify } = browser.JSON;

/** Of one that a page has wrapped nobody can say whether it streams, or which headers it adds. */
export const ownFetch: typeof fetch = (...request) =>
  (/native code/.test(String(globalThis.fetch)) ? globalThis : untouched()).fetch(...request);

type WithToJson = { toJSON?: unknown } | undefined;
export const OwnJSON = {
  parse,
  /** As it is where no old library has given arrays a `toJSON`, which makes texts of them. */
  stringify: (value: unknown, _replacer?: null, space?: number) =>
    stringify(
      value,
      function (this: Record<string, WithToJson>, name, changed) {
        const there = this[name];
        return there?.toJSON === ([] as WithToJson)!.toJSON ? there : changed;
      },
      space,
    ),
};
