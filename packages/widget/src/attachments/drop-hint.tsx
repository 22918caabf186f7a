import { useWidget } from '../widget-context.ts';
import { adoptOwnStyles } from './adopt-own-styles.ts';

/** Lies over the panel while files are held over it. */
export function DropHint() {
  const { label } = useWidget();
  return (
    <div class="drop" ref={adoptOwnStyles}>
      {label('dropFiles')}
    </div>
  );
}
