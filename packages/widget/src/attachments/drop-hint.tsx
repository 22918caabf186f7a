import { useWidget } from '../widget-context.ts';
import { adoptOnce } from './adopt-once.ts';

/** Lies over the panel while files are held over it. */
export function DropHint() {
  const { label } = useWidget();
  return (
    <div class="drop" ref={adoptOnce}>
      {label('dropFiles')}
    </div>
  );
}
