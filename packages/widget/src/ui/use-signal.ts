import type { ReadonlySignal } from '@preact/signals-core';
import { useLayoutEffect, useState } from 'preact/hooks';

/** The value of a signal; the component is drawn again whenever it changes. */
export function useSignal<Value>(signal: ReadonlySignal<Value>): Value {
  const [, draw] = useState<Value>();
  // It is called at once, too: the value may have changed between the drawing and now.
  useLayoutEffect(() => signal.subscribe((value) => draw(() => value)), [signal]);
  return signal.value;
}
