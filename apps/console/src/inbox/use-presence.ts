import type { PresentView } from '@parley/protocol/settings/inbox';
import { useEffect, useState } from 'preact/hooks';
import { callUnasked, sessionEnded } from '../api/call.ts';
import { member } from '../api/member.ts';

/** A third of the time after which the service forgets that somebody was there. */
const sayAgainMs = 5_000;

export type Present = PresentView['members'][number];

/** Which colleagues have the inbox open. They are told the same of the member, while somebody looks at this tab. */
export function usePresence(tenantId: string, conversationId: string | undefined): readonly Present[] {
  const [present, setPresent] = useState<readonly Present[]>([]);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (ended) return;
    let isCurrent = true;
    const say = async () => {
      if (document.hidden) return;
      try {
        const body = { tenantId, conversationId: conversationId ?? null };
        const { members } = await callUnasked<PresentView>('POST', '/inbox/presence', body);
        if (isCurrent) setPresent(members.filter(({ id }) => id !== member.value?.id));
      } catch {
        // Nobody is shown who may have left.
        if (isCurrent) setPresent([]);
      }
    };
    void say();
    const timer = setInterval(() => void say(), sayAgainMs);
    const lookAgain = () => void say();
    document.addEventListener('visibilitychange', lookAgain);
    return () => {
      isCurrent = false;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookAgain);
    };
  }, [tenantId, conversationId, ended]);
  return present;
}

/** Names as they are said one after the other. */
export const namesOf = (members: readonly Present[]): string =>
  new Intl.ListFormat('en').format(members.map(({ name }) => name));
