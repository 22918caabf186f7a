import { titleOf } from '@parley/protocol/tool-text';
import { useEffect, useState } from 'preact/hooks';
import { useWidget } from '../../widget-context.ts';
import { displaysOf } from './displays-of.ts';

type KnownTools = typeof import('./known-tools.ts');

let loaded: KnownTools | null = null;

/** A tool's name for visitors: as the tenant or the page says, else as a chunk does that is loaded for it. */
export function useTitle(toolName: string): string {
  const widget = useWidget();
  const displays = displaysOf(widget);
  const [, draw] = useState(loaded);
  const isNamed = Object.hasOwn(displays, toolName) || widget.pageTools.has(toolName);
  useEffect(() => {
    if (isNamed || loaded) return;
    import('./known-tools.ts').then(
      (known) => draw((loaded = known)),
      () => {
        // It is named by its own name without them.
      },
    );
  }, [isNamed]);
  return (
    (isNamed ? null : loaded?.knownTitle(toolName, widget.locale)) ??
    titleOf(toolName, displays, widget.locale)
  );
}
