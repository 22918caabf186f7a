import { useState } from 'preact/hooks';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import css from './menu-items.css?inline';
import { Rights } from './rights.tsx';

function MenuItems({ close }: { close: () => void }) {
  const { conversation, listing, label } = useWidget();
  const notify = useSignal(conversation.notify);
  const visitor = useSignal(conversation.visitor);
  return (
    <>
      {visitor && (
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close();
            listing.value = true;
          }}
        >
          {label('conversations')}
        </button>
      )}
      <label class="menu-item">
        <input
          type="checkbox"
          checked={notify}
          onChange={({ currentTarget: { checked } }) => conversation.setNotify(checked)}
        />
        {label('notify')}
      </label>
      <SizeItem close={close} />
      <Rights close={close} />
    </>
  );
}

function SizeItem({ close }: { close: () => void }) {
  const { label } = useWidget();
  const [panel, setPanel] = useState<HTMLElement | null>(null);
  return (
    <button
      type="button"
      class="menu-item wide-only"
      ref={(button) => setPanel(button?.closest<HTMLElement>('.panel') ?? null)}
      onClick={() => {
        panel?.toggleAttribute('data-large');
        close();
      }}
    >
      {label(panel?.hasAttribute('data-large') ? 'shrink' : 'expand')}
    </button>
  );
}

export { css, MenuItems as Component };
