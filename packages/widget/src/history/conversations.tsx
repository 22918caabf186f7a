import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { CardIcon } from '../ui/card-icon.tsx';
import { errorText } from '../ui/error-text.ts';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';
import { beginning } from './beginning.ts';
import css from './conversations.css?inline';
import { relativeTime } from './relative-time.ts';
import { type ListedSession, useSessionList } from './use-session-list.ts';

/** The conversations of the visitor, newest first: one that is chosen goes on here. */
function Conversations() {
  const { conversation, listing, label } = useWidget();
  const session = useSignal(conversation.session);
  const { items, next, loading, error, more } = useSessionList(conversation);
  const place = useRef<HTMLElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const panel = () => place.current!.closest<HTMLElement>('.panel')!;

  const back = () => {
    panel().querySelector<HTMLElement>('.menu > summary')?.focus();
    listing.value = false;
  };
  const goOn = (move: () => void, writable: boolean) => {
    const around = panel();
    move();
    requestAnimationFrame(() => {
      const field = writable && matchMedia('(pointer: fine)').matches && around.querySelector('textarea');
      (field || around.querySelector<HTMLElement>('.log'))?.focus({ preventScroll: true });
    });
  };
  const startNew = () => {
    listing.value = false;
    conversation.startNew();
  };
  const choose = ({ id, continuationToken, status }: ListedSession) =>
    goOn(() => {
      listing.value = false;
      if (id !== session?.sessionId) conversation.open({ sessionId: id, continuationToken });
    }, status === 'open');

  useLayoutEffect(() => {
    place.current!.querySelector('button')!.focus();
    const around = panel();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || around.querySelector('.menu[open]')) return;
      event.stopPropagation();
      back();
    };
    around.addEventListener('keydown', onKey, { capture: true });
    return () => around.removeEventListener('keydown', onKey, { capture: true });
  }, []);

  /** The first of those that "more" has brought. */
  const awaited = useRef(0);
  useEffect(() => {
    if (awaited.current === 0 || items.length <= awaited.current) return;
    list.current!.querySelectorAll('button')[awaited.current]?.focus();
    awaited.current = 0;
  }, [items.length]);

  return (
    <section class="conversations" aria-labelledby="conversations" aria-busy={loading} ref={place}>
      <div class="conversations-head">
        <button
          type="button"
          class="round quiet back"
          aria-label={label('back')}
          title={label('back')}
          onClick={back}
        >
          <CardIcon name="chevron" />
        </button>
        <h3 id="conversations">{label('conversations')}</h3>
        <button type="button" class="button small" onClick={() => goOn(startNew, true)}>
          {label('newConversation')}
        </button>
      </div>
      <div class="conversations-list">
        <ul
          ref={list}
          onKeyDown={(event) => {
            const buttons = [...event.currentTarget.querySelectorAll('button')];
            const at = buttons.indexOf(event.target as HTMLButtonElement);
            const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
            if (to === undefined) return;
            event.preventDefault();
            buttons[to]?.focus();
          }}
        >
          {items.map((item) => (
            <li key={item.id}>
              <Entry item={item} current={item.id === session?.sessionId} onChoose={() => choose(item)} />
            </li>
          ))}
        </ul>
        {loading && items.length === 0 && (
          <div class="skeleton" aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
        )}
        <div role="status">
          {error && <p class="problem">{errorText(error.code, label)}</p>}
          {!error && !loading && items.length === 0 && <p class="meta">{label('noConversations')}</p>}
        </div>
        {(error || next !== null) && (
          <button
            type="button"
            class="button"
            onClick={() => {
              if (loading) return;
              awaited.current = items.length;
              void more();
            }}
          >
            {label(error ? 'retry' : loading ? 'working' : 'showMore')}
          </button>
        )}
      </div>
    </section>
  );
}

type EntryProps = { item: ListedSession; current: boolean; onChoose: () => void };

function Entry({ item: { firstMessage, activeAt, status }, current, onChoose }: EntryProps) {
  const { conversation, label, locale } = useWidget();
  const active = new Date(activeAt);
  return (
    <button type="button" class="conversation" aria-current={current || undefined} onClick={onChoose}>
      <span class="excerpt">
        <bdi>{firstMessage === null ? label('conversation') : beginning(firstMessage)}</bdi>
      </span>
      <span class="meta">
        <time dateTime={activeAt} title={active.toLocaleString(locale)}>
          {relativeTime(active.getTime(), conversation.clock.now(), locale)}
        </time>
        {current && ` · ${label('openHere')}`}
        {status !== 'open' && ` · ${label('over')}`}
      </span>
    </button>
  );
}

export { css, Conversations as Component };
