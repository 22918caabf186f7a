import type { ContactView } from '@parley/protocol/settings/contact';
import { useEffect, useState } from 'preact/hooks';
import { call, sessionEnded } from '../api/call.ts';
import { tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';

interface Found {
  readonly items: readonly Pick<ContactView, 'id'>[];
}

/** A visitor by their name, which leads to their contact where they are one. */
export function ContactLink({ visitor, name }: { readonly visitor: string | null; readonly name: string }) {
  const [contactId, setContactId] = useState<string | null>(null);
  const tenantId = tenant.value?.id;
  const ended = sessionEnded.value;
  useEffect(() => {
    setContactId(null);
    if (visitor === null || tenantId === undefined || ended) return;
    let isCurrent = true;
    call<Found>('GET', `/contacts?tenantId=${tenantId}&visitor=${encodeURIComponent(visitor)}`).then(
      ({ items }) => isCurrent && setContactId(items[0]?.id ?? null),
      // The name is there without it.
      () => undefined,
    );
    return () => void (isCurrent = false);
  }, [visitor, tenantId, ended]);
  return contactId === null ? <>{name}</> : <a href={linkTo('contacts', contactId)}>{name}</a>;
}
