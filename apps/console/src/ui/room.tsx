import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading, Problem } from './notice.tsx';

/** A screen whose code is loaded when somebody first goes there. */
export function room<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): FunctionComponent<Props> {
  let known: ComponentType<Props> | null = null;
  return function Room(props) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);
    useEffect(() => {
      if (known) return;
      load().then(
        (loaded) => {
          known = loaded;
          redraw((count) => count + 1);
        },
        () => setFailed(true),
      );
    }, []);
    if (failed) return <Problem>This screen could not be loaded. Reload the page to try again.</Problem>;
    if (!known) return <Loading />;
    const Loaded = known;
    return <Loaded {...props} />;
  };
}
