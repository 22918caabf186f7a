import type { ContactView } from '@parley/protocol/settings/contact';
import type { ConversationView } from '@parley/protocol/settings/conversation';
import { useEffect, useState } from 'preact/hooks';
import { call, revalidation } from '../api/call.ts';
import { visitorName } from '../conversations/badges.tsx';
import { linkTo } from '../router.ts';

interface Found {
  readonly items: readonly Pick<ContactView, 'id'>[];
}

/** The visitor of a conversation by their name, which leads to their contact where they are one. */
export function ContactLink({ conversation }: { readonly conversation: ConversationView }) {
  const { tenantId, visitor } = conversation;
  const [contactId, setContactId] = useState<string | null>(null);
  const round = revalidation.value;
  useEffect(() => {
    setContactId(null);
    if (visitor === null || round === null) return;
    let isCurrent = true;
    call<Found>('GET', `/contacts?tenantId=${tenantId}&visitor=${encodeURIComponent(visitor)}`).then(
      ({ items }) => isCurrent && setContactId(items[0]?.id ?? null),
      // The name is there without it.
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [visitor, tenantId, round]);
  const name = visitorName(conversation);
  return contactId === null ? <>{name}</> : <a href={linkTo('contacts', contactId)}>{name}</a>;
}
