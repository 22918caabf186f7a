import { keepLoading } from '@parley/conversation';
import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { adoptStyles } from './adopt-styles.ts';
import { useWidget } from '../widget-context.ts';

type Chunk<Props> = { Component: FunctionComponent<Props>; css?: string };

/**
 * A component of a chunk of its own, loaded with its styles when it is first wanted, and tried for as long as it is.
 * `quiet`: nobody is told that it does not come. Until it does, there is what stands in for it.
 */
export function lazy<Props extends object>(
  load: () => Promise<Chunk<Props>>,
  quiet = false,
  StandIn: FunctionComponent<Props> = () => null,
): FunctionComponent<Props> {
  let loaded: Chunk<Props> | undefined;
  const adopt = (element: Element | null) => {
    if (element && loaded?.css) adoptStyles(element.getRootNode() as ShadowRoot, loaded.css);
  };
  return function Lazy(props) {
    const { label } = useWidget();
    const [tries, setTries] = useState(1);
    const [failed, setFailed] = useState(0);
    useEffect(() => {
      if (loaded) return;
      const wanted = new AbortController();
      void keepLoading(load, wanted.signal, () => setFailed(tries)).then((chunk) => {
        if (!chunk) return;
        loaded = chunk;
        setTries(0);
      });
      return () => wanted.abort();
    }, [tries]);
    if (loaded)
      return (
        <>
          <i hidden ref={adopt} />
          <loaded.Component {...props} />
        </>
      );
    return (
      <>
        <StandIn {...props} />
        {failed === tries && !quiet && (
          <p class="problem not-loaded" role="alert">
            {label('NETWORK')}{' '}
            <button
              type="button"
              class="button small"
              onClick={({ currentTarget }) => {
                // The button is about to go; what it stands in keeps the focus.
                currentTarget.closest<HTMLElement>('[tabindex]')?.focus();
                setTries(tries + 1);
              }}
            >
              {label('retry')}
            </button>
          </p>
        )}
      </>
    );
  };
}
