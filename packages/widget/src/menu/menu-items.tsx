import { useState } from 'preact/hooks';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { lazy } from '../ui/lazy.tsx';
import css from './menu-items.css?inline';
import { PrivacyActions } from './privacy-actions.tsx';

const Transfer = lazy(() => import('../transfer/transfer.tsx'));

function MenuItems({ close }: { close: () => void }) {
  const { conversation, listing, label } = useWidget();
  const notify = useSignal(conversation.notify);
  const visitor = useSignal(conversation.visitor);
  const session = useSignal(conversation.session);
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
      {session && !visitor && <ElsewhereItem />}
      <label class="menu-item">
        <input
          type="checkbox"
          checked={notify}
          onChange={({ currentTarget: { checked } }) => conversation.setNotify(checked)}
        />
        {label('notify')}
      </label>
      <SizeItem close={close} />
      <PrivacyActions close={close} />
    </>
  );
}

/** Who is known has their conversations wherever they are; everybody else is given a link. */
function ElsewhereItem() {
  const { label } = useWidget();
  const [isOffered, setOffered] = useState(false);
  return (
    <>
      <button
        type="button"
        class="menu-item"
        aria-expanded={isOffered}
        onClick={() => setOffered(!isOffered)}
      >
        {label('elsewhere')}
      </button>
      {isOffered && (
        <div class="confirm" role="group" tabIndex={-1} aria-label={label('elsewhere')}>
          <Transfer />
        </div>
      )}
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
