import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { adoptStyles } from './adopt-styles.ts';
import { useWidget } from '../widget-context.ts';

type State = 'loading' | 'failed' | 'loaded';

type Chunk<Props> = { Component: FunctionComponent<Props>; css?: string };

/**
 * A component of a chunk of its own, loaded with its styles when it is first wanted. `quiet`: nobody misses it if it
 * does not come. Until it does, there is what stands in for it.
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
    const [state, setState] = useState<State>('loading');
    const begin = () => {
      setState('loading');
      load().then(
        (chunk) => {
          loaded = chunk;
          setState('loaded');
        },
        () => setState('failed'),
      );
    };
    useEffect(() => {
      if (!loaded) begin();
    }, []);
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
        {state === 'failed' && !quiet && (
          <p class="problem not-loaded" role="alert">
            {label('NETWORK')}{' '}
            <button
              type="button"
              class="button small"
              onClick={({ currentTarget }) => {
                // The button is about to go; what it stands in keeps the focus.
                currentTarget.closest<HTMLElement>('[tabindex]')?.focus();
                begin();
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
