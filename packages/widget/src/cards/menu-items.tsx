import { useState } from 'preact/hooks';
import { useWidget } from '../widget-context.ts';
import css from './menu-items.css?inline';
import { Rights } from './rights.tsx';

function MenuItems({ close }: { close: () => void }) {
  const { chat, label } = useWidget();
  const [notify, setNotify] = useState(chat.saved.get('notify') !== '');
  return (
    <>
      {chat.visitor && (
        <button
          type="button"
          class="menu-item"
          onClick={() => {
            close();
            chat.set({ listing: true });
          }}
        >
          {label('conversations')}
        </button>
      )}
      <label class="menu-item">
        <input
          type="checkbox"
          checked={notify}
          onChange={({ currentTarget: { checked } }) => {
            setNotify(checked);
            chat.saved.set('notify', checked ? '1' : '');
            // The menu is not drawn again by itself.
            chat.set({});
          }}
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
