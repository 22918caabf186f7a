import { ParleyError, type ParleyErrorCode } from '@parley/client/error';
import { useEffect, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../ui/copy-button.tsx';
import { errorText } from '../ui/error-text.ts';
import { useNow } from '../ui/use-now.ts';
import { useWidget } from '../widget-context.ts';
import { transferLink } from './transfer-link.ts';
import { QrCode } from './qr-code.tsx';
import { useTransferWords } from './words.ts';

type Offered = { link: string; at: number; until: number };

/** Beyond it no camera reads a code of this size. */
const longestLink = 1_000;

const over: Offered = { link: '', at: 0, until: 0 };

/** The link to this conversation, for as long as it is looked at and valid. */
export function Offer() {
  const { conversation, label } = useWidget();
  const word = useTransferWords();
  const [tries, setTries] = useState(0);
  const [offered, setOffered] = useState<Offered | ParleyErrorCode | null>(null);
  const now = useNow();
  useEffect(() => {
    const ending = new AbortController();
    const { signal } = ending;
    setOffered(null);
    const make = async (): Promise<Offered | ParleyErrorCode | null> => {
      try {
        const made = await conversation.handOver(signal);
        if (!made) return null;
        const until = conversation.clock.localTime(made.expiresAt);
        return { link: transferLink(conversation.name, made.token), at: Date.now(), until };
      } catch (error) {
        return error instanceof ParleyError ? error.code : 'PROTOCOL';
      }
    };
    void make().then((outcome) => {
      if (!signal.aborted) setOffered(outcome);
    });
    const leave = () => {
      ending.abort();
      // Whoever comes back to the page as it was finds what nobody can use any more.
      setOffered(over);
    };
    addEventListener('pagehide', leave, { signal });
    return () => ending.abort();
  }, [tries]);
  // The last tick may be of before the link was there.
  const left =
    offered && typeof offered !== 'string'
      ? Math.floor((offered.until - Math.max(now, offered.at)) / 1_000)
      : 0;
  const shown = useRef<HTMLParagraphElement>(null);
  const isOver = left <= 0;
  useEffect(() => {
    const line = shown.current;
    if (!isOver || !line) return;
    // The button that copies it goes, too; a menu that loses the focus closes.
    if (line.matches(':focus-within')) line.closest<HTMLElement>('[role=group]')?.focus();
    setOffered(over);
  }, [isOver]);
  if (!offered) return <p class="meta">{label('working')}</p>;
  const seconds = Math.max(left, 0);
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  if (typeof offered === 'string' || offered === over)
    return (
      <>
        <p class={typeof offered === 'string' ? 'problem' : undefined} role="status">
          {typeof offered === 'string' ? errorText(offered, label) : word('linkOver')}
        </p>
        <button
          type="button"
          class="button small"
          onClick={({ currentTarget }) => {
            // The button goes; a menu that loses the focus closes.
            currentTarget.closest<HTMLElement>('[role=group]')?.focus();
            setTries(tries + 1);
          }}
        >
          {label('retry')}
        </button>
      </>
    );
  return (
    <>
      {offered.link.length <= longestLink && <QrCode label={label('elsewhere')} text={offered.link} />}
      <p>{word('scan')}</p>
      <p class="transfer-end" ref={shown}>
        <span class="meta" role="timer">
          {word('validFor', { time })}
        </span>
        <CopyButton text={offered.link} />
      </p>
    </>
  );
}
