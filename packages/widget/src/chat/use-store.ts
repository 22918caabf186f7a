import { useLayoutEffect, useState } from 'preact/hooks';
import type { Store } from './store.ts';

/** The state of a store; the component is drawn again whenever it changes. */
export function useStore<State>(store: Store<State>): State {
  const [, draw] = useState(store.state);
  useLayoutEffect(() => {
    const update = () => draw(store.state);
    // It may have changed between the drawing and now.
    update();
    return store.subscribe(update);
  }, [store]);
  return store.state;
}
