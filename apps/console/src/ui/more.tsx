import { useEffect, useRef } from 'preact/hooks';

/** What comes near the end of what is there loads what follows. */
const nearEnd = '600px';

interface MoreProps {
  readonly more: () => Promise<void>;
  readonly isLoading: boolean;
  /** The last that was looked through had nothing, or failed: whoever wants more says so. */
  readonly waits: boolean;
  /** What the button says. */
  readonly name: string;
}

/** The way to what a long list has not loaded yet, which is loaded by itself once it is near. */
export function More({ more, isLoading, waits, name }: MoreProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isLoading || waits || !button.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) void more();
      },
      { rootMargin: nearEnd },
    );
    observer.observe(button.current);
    return () => observer.disconnect();
  }, [more, isLoading, waits]);
  return (
    <button ref={button} type="button" class="button" disabled={isLoading} onClick={() => void more()}>
      {isLoading ? 'Looking further back…' : name}
    </button>
  );
}
