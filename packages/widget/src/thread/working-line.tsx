import { useWidget } from '../widget-context.ts';

/** Says that the agent is at work. */
export function WorkingLine({ since }: { since: number }) {
  const { cards, label } = useWidget();
  return (
    <p class="working">
      <span class="dots" aria-hidden="true">
        <i />
        <i />
        <i />
      </span>
      {cards ? <cards.Elapsed since={since} /> : <span class="meta">{label('working')}</span>}
    </p>
  );
}
