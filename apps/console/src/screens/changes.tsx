import type { AuditEntryView } from '@parley/protocol/settings/audit';
import { tenant } from '../api/member.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Slices } from '../ui/slices.tsx';
import { Time } from '../ui/time.tsx';
import { usePages } from '../ui/use-pages.ts';

/** Who changed what. */
export function Changes() {
  const of = tenant.value;
  const list = of ? `/audit?tenantId=${of.id}` : '/audit';
  return (
    <Page
      title="Change log"
      trail={[{ name: 'Settings' }]}
      lead="Every change of the settings, whoever made it. Secrets are never in it."
    >
      <Entries key={list} list={list} />
    </Page>
  );
}

/** A page of the list, and what is drawn in one go. */
const perPage = 50;

const row = (entry: AuditEntryView, index: number) => (
  <li key={`${entry.at} ${index}`}>
    <Entry entry={entry} />
  </li>
);

function Entries({ list }: { readonly list: string }) {
  const { pages, problem, isLoading, more } = usePages<AuditEntryView>(list, perPage);
  if (pages === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  if (pages[0]?.length === 0) return <p class="notice">Nothing was changed yet.</p>;
  return (
    <div class="stack">
      <Slices pages={pages} row={row} />
      {problem && <Problem>{problem}</Problem>}
      {more && <More more={more} isLoading={isLoading} waits={problem !== null} name="Show earlier ones" />}
    </div>
  );
}

function Entry({
  entry: { at, actor, action, kind, subject, before, after },
}: {
  readonly entry: AuditEntryView;
}) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const title = (
    <>
      <span class="row-name">
        {actor?.name ?? 'The admin token'} {action} the {kind === 'draft' ? 'draft of' : kind}{' '}
        {subject.name ?? ''}
      </span>
      <span class="meta">
        <Time at={at} />
      </span>
    </>
  );
  if (names.length === 0) return <div class="change">{title}</div>;
  return (
    <details class="change">
      <summary>{title}</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{textOf(before?.[name])}</td>
              <td>{textOf(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

const textOf = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};
