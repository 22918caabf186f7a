import type { ContactView } from '@parley/protocol/settings/contact';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { shortTime } from '../conversations/short-time.ts';
import { linkTo } from '../router.ts';
import { Empty } from '../ui/empty.tsx';
import { Field } from '../ui/field.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { More } from '../ui/more.tsx';
import { Slices } from '../ui/slices.tsx';
import { today } from '../ui/today.ts';
import { useForm } from '../ui/use-form.ts';
import { usePages } from '../ui/use-pages.ts';
import { contactDetail, contactName } from './contact-name.ts';

/** How long somebody who types is waited for. */
const typingMs = 300;

interface ContactListProps {
  readonly tenantId: string;
  readonly stages: Pipeline['stages'];
}

export function ContactList({ tenantId, stages }: ContactListProps) {
  const { values, control } = useForm({
    name: `contacts of ${tenantId}`,
    initial: { search: '', stage: '' },
  });
  const { stage } = values;
  const entered = values.search.trim();
  const [search, setSearch] = useState(entered);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(entered), typingMs);
    return () => clearTimeout(timer);
  }, [entered]);
  const query = new URLSearchParams({ tenantId, ...(search && { search }), ...(stage && { stage }) });
  return (
    <div class="stack">
      <search>
        <form class="contact-filters" onSubmit={(event) => event.preventDefault()}>
          <Field label="Search">
            <input
              type="search"
              maxLength={200}
              placeholder="Name, e-mail or id"
              autocomplete="off"
              {...control('search')}
            />
          </Field>
          <Field label="Stage">
            <select {...control('stage')}>
              <option value="">Any</option>
              {stages.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </Field>
        </form>
      </search>
      <Rows key={`${query}`} query={`${query}`} stages={stages} isFiltered={search !== '' || stage !== ''} />
    </div>
  );
}

interface RowsProps {
  readonly query: string;
  readonly stages: Pipeline['stages'];
  readonly isFiltered: boolean;
}

/** A page of the list, and what is drawn in one go. */
const perPage = 50;

function Rows({ query, stages, isFiltered }: RowsProps) {
  const now = today.value;
  const { pages, problem, isLoading, more } = usePages<ContactView>(`/contacts?${query}`, perPage);
  const row = useCallback(
    (contact: ContactView) => (
      <li key={contact.id}>
        <Row contact={contact} now={now} stage={stages.find(({ id }) => id === contact.stage)?.name} />
      </li>
    ),
    [stages, now],
  );
  if (pages === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  const isEmpty = pages.every((page) => page.length === 0);
  return (
    <>
      {isEmpty &&
        !more &&
        (isFiltered ? (
          <p class="notice">No contact is like that.</p>
        ) : (
          <Empty icon="contacts" title="Nobody has signed in yet">
            <p class="lead">Visitors become contacts once your site says who they are.</p>
            <p class="meta">Every agent has the code for it, under Visitors.</p>
          </Empty>
        ))}
      {!isEmpty && <Slices pages={pages} row={row} />}
      {problem && <Problem>{problem}</Problem>}
      {more && (
        <More
          more={more}
          isLoading={isLoading}
          waits={problem !== null || pages.at(-1)?.length === 0}
          name={isEmpty ? 'Look further back' : 'Show more'}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly contact: ContactView;
  readonly now: Date;
  readonly stage: string | undefined;
}

const Row = ({ contact, now, stage }: RowProps) => (
  <a class="contact" href={linkTo('contacts', contact.id)}>
    <span class="row-name" dir="auto">
      {contactName(contact)}
    </span>
    <span class="meta about" dir="auto">
      {contactDetail(contact)}
    </span>
    <span class="badge">{stage}</span>
    <time class="meta when" dateTime={contact.seenAt}>
      {shortTime(new Date(contact.seenAt), now)}
    </time>
  </a>
);
