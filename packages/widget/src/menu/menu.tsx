import { useRef, useState } from 'preact/hooks';
import { CardIcon } from '../ui/card-icon.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { lazy } from '../ui/lazy.tsx';
import { useNotices } from './use-notices.ts';

const Controls = lazy(() => import('../ui/controls.tsx'), true);
const MenuItems = lazy(() => import('./menu-items.tsx'));

/** What a visitor can set and do, in a menu of the header. */
export function Menu() {
  const { conversation, label } = useWidget();
  const details = useRef<HTMLDetailsElement>(null);
  const [isOpen, setOpen] = useState(false);
  useNotices(conversation, useSignal(conversation.notify));

  const close = () => details.current?.removeAttribute('open');
  const closeToButton = () => {
    details.current?.querySelector('summary')?.focus();
    close();
  };
  return (
    <details
      class="menu"
      ref={details}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        closeToButton();
      }}
    >
      <summary class="round quiet" aria-label={label('menu')} title={label('menu')}>
        <CardIcon name="more" />
        <Controls />
      </summary>
      <div class="menu-items" tabIndex={-1}>
        {isOpen && <MenuItems close={closeToButton} />}
      </div>
    </details>
  );
}
