import type { TextPart } from '@parley/conversation';
import { maximumLength } from '../parts/markdown/split.ts';
import { useWidget } from '../widget-context.ts';

/** Why an answer is shorter than it should be. */
export function Ending({ part: { text, finishReason } }: { part: TextPart }) {
  const { label } = useWidget();
  return (
    <>
      {text.length > maximumLength && <p class="meta">{label('cutShort')}</p>}
      {finishReason === 'length' && <p class="meta">{label('cutOff')}</p>}
      {finishReason === 'content-filter' && <p class="meta">{label('filtered')}</p>}
    </>
  );
}
