import { useRef, useState } from 'preact/hooks';
import type { Chat } from '../chat/chat-model.ts';
import { Icon } from '../icon.tsx';
import { useWidget } from '../widget-context.ts';
import { useNotices } from './use-notices.ts';

/** What a visitor can set, in a menu of the header. */
export function Menu({ chat }: { chat: Chat }) {
  const { label } = useWidget();
  const details = useRef<HTMLDetailsElement>(null);
  const [notify, setNotify] = useState(chat.saved.get('notify') !== '');
  const [large, setLarge] = useState(false);
  useNotices(chat, notify);

  const close = () => details.current?.removeAttribute('open');
  return (
    <details
      class="menu"
      ref={details}
      onFocusOut={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !details.current?.open) return;
        event.stopPropagation();
        close();
        details.current.querySelector('summary')?.focus();
      }}
    >
      <summary class="round quiet" aria-label={label('menu')} title={label('menu')}>
        <Icon name="more" />
      </summary>
      <div class="menu-items">
        <label class="menu-item">
          <input
            type="checkbox"
            checked={notify}
            onChange={({ currentTarget: { checked } }) => {
              setNotify(checked);
              chat.saved.set('notify', checked ? '1' : '');
            }}
          />
          {label('notify')}
        </label>
        <button
          type="button"
          class="menu-item wide-only"
          onClick={(event) => {
            event.currentTarget.closest<HTMLElement>('.panel')?.toggleAttribute('data-large', !large);
            setLarge(!large);
            close();
          }}
        >
          {label(large ? 'shrink' : 'expand')}
        </button>
      </div>
    </details>
  );
}
