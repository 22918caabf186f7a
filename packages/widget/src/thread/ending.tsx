import type { TextPart } from '@parley/conversation';
import { lazy } from '../ui/lazy.tsx';
import { maximumLength } from '../parts/markdown/split.ts';
import { useWidget } from '../widget-context.ts';

const Sources = lazy(() => import('../parts/sources/sources.tsx'), true);

/** What an answer is made from, and why it is shorter than it should be. */
export function Ending({ part: { text, sources, finishReason } }: { part: TextPart }) {
  const { label } = useWidget();
  return (
    <>
      {sources && <Sources sources={sources} />}
      {text.length > maximumLength && <p class="meta">{label('cutShort')}</p>}
      {finishReason === 'length' && <p class="meta">{label('cutOff')}</p>}
      {finishReason === 'content-filter' && <p class="meta">{label('filtered')}</p>}
    </>
  );
}
