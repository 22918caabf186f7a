import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading, Problem } from './notice.tsx';

/** A room that is loaded when somebody enters it. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null;
  return function Lazy(props: Props) {
    const [Room, setRoom] = useState<{ readonly View: ComponentType<Props> } | null>(
      loaded && { View: loaded },
    );
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (View) => setRoom({ View: (loaded = View) }),
        () => setFailed(true),
      );
    }, []);
    if (isFailed)
      return (
        <>
          <Problem>This part of the console could not be loaded. What you have entered is kept.</Problem>
          <button type="button" class="button" onClick={() => location.reload()}>
            Load the page again
          </button>
        </>
      );
    return Room ? <Room.View {...props} /> : <Loading />;
  };
}
