import { useEffect, useState } from 'preact/hooks';
import { lazy } from '../ui/lazy.tsx';
import { useSignal } from '../ui/use-signal.ts';
import { useWidget } from '../widget-context.ts';

/** Whoever waits for less has no use for a mail. */
const offerAfterMs = 20_000;

const ReadyMail = lazy(() => import('./ready-mail.tsx'), true);

/** Offers a mail once an answer, or the team's, has been waited for that long. */
export function ReadyMailOffer() {
  const { conversation } = useWidget();
  const setup = useSignal(conversation.setup);
  const { turns, status } = useSignal(conversation.transcript);
  const turn = turns.at(-1);
  const part = turn?.parts.at(-1);
  const isAwaited = status === 'working' || (part?.kind === 'team-question' && part.state === 'open');
  const isOffered = setup.kind === 'ready' && setup.config.readyMail === true;
  if (!turn || !isAwaited || !isOffered) return null;
  // However often an answer had to wait and went on, it is one to whoever waits for it.
  const first = turns.findLast(({ user }) => user) ?? turn;
  return <AfterAWhile key={first.id} since={conversation.clock.localTime(first.startedAt)} />;
}

function AfterAWhile({ since }: { since: number }) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLong, since + offerAfterMs - Date.now(), true);
    return () => clearTimeout(timer);
  }, [since]);
  return isLong && <ReadyMail />;
}
