import { Slot } from '../ui/slot.tsx';
import { useWidget } from '../widget-context.ts';

type Props = {
  since: number;
  /** Nothing of it can come: that is said elsewhere, and only long work is said to go on without the page. */
  offline?: boolean;
};

/** Says that the agent is at work. */
export function WorkingLine({ since, offline = false }: Props) {
  const { label } = useWidget();
  return (
    <p class="working">
      {!offline && (
        <span class="dots" aria-hidden="true">
          <i />
          <i />
          <i />
        </span>
      )}
      <Slot
        name="Elapsed"
        since={since}
        quiet={offline}
        instead={!offline && <span class="meta">{label('working')}</span>}
      />
    </p>
  );
}
