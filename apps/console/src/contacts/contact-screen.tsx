import { settingsPath } from '@parley/protocol/paths';
import type { ContactView, ErasureView } from '@parley/protocol/settings/contact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { isAtLeast, tenants } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { Time } from '../ui/time.tsx';
import { ContactConversations } from './contact-conversations.tsx';
import { ContactForm } from './contact-form.tsx';
import { contactName } from './contact-name.ts';
import { ErasureReceipt } from './erasure-receipt.tsx';

const trail = [{ name: 'Contacts', href: linkTo('contacts') }];

/** Somebody that the agents know: what is noted, what they typed, and what was said. */
export function ContactScreen({ id }: { readonly id: string }) {
  const [contact, setContact] = useState<ContactView | null>(null);
  const [receipt, setReceipt] = useState<ErasureView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isErasing, setErasing] = useState(false);
  const load = useCallback(async () => {
    try {
      setContact(await call<ContactView>('GET', `/contacts/${id}`));
      setProblem(null);
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  }, [id]);
  const round = revalidation.value;
  useEffect(() => {
    if (round !== null) void load();
  }, [load, round]);

  if (receipt) return <ErasureReceipt receipt={receipt} trail={trail} />;
  if (contact === null) return problem ? <Failed trail={trail}>{problem}</Failed> : <Loading />;
  const of = tenants.value.find((each) => each.id === contact.tenantId);
  const name = contactName(contact);
  const erase = async () => {
    const text =
      'The contact goes, every conversation with its files, notes and ratings, and the name in appointments. Nothing brings it back. Mail that was sent and backups keep what they have.';
    if (!(await confirm({ title: `Erase ${name}?`, text, action: 'Erase everything' }))) return;
    setErasing(true);
    try {
      setReceipt(await erased(id));
      announce('Everything was erased.');
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setErasing(false);
    }
  };
  const said = Object.entries(contact.said);
  return (
    <Page
      title={name}
      trail={trail}
      action={
        isAtLeast('admin') && (
          <div class="actions">
            <a class="button" href={`${settingsPath}/contacts/${id}/export`} download>
              Export JSON
            </a>
            <button
              type="button"
              class="button danger-quiet"
              disabled={isErasing}
              onClick={() => void erase()}
            >
              {isErasing ? 'Erasing…' : 'Erase'}
            </button>
          </div>
        )
      }
    >
      {problem && <Problem>{problem}</Problem>}
      <dl class="facts card">
        <div>
          <dt>Signed in as</dt>
          <dd dir="auto">
            {contact.visitor} <span class="badge live">Verified</span>
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <Time at={contact.createdAt} />
          </dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <Time at={contact.seenAt} />
          </dd>
        </div>
      </dl>
      <div class="contact-page">
        <div class="stack">
          {of && <ContactForm key={id} contact={contact} pipeline={of.pipeline} saved={setContact} />}
          {said.length > 0 && (
            <section class="card">
              <h2>Said by the visitor</h2>
              <p class="meta">Typed into the form before a conversation. Nobody has checked it.</p>
              <dl class="said-facts">
                {said.map(([field, value]) => (
                  <div key={field}>
                    <dt>{field}</dt>
                    <dd dir="auto">{value}</dd>
                  </div>
                ))}
              </dl>
            </section>
          )}
        </div>
        <ContactConversations contactId={id} />
      </div>
    </Page>
  );
}

/** One request erases so much; the rest is asked for again. */
async function erased(id: string): Promise<ErasureView> {
  const done = { contacts: 0, conversations: 0, files: 0, appointments: 0, signIns: 0 };
  for (;;) {
    const receipt = await call<ErasureView>('POST', `/contacts/${id}/erase`);
    for (const what of ['contacts', 'conversations', 'files', 'appointments', 'signIns'] as const)
      done[what] += receipt.erased[what];
    if (receipt.complete) return { ...receipt, erased: done };
  }
}
