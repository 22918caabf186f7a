import { isAtLeast, tenant } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { NoAgents } from '../ui/no-agents.tsx';
import { Page } from '../ui/page.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Board } from './board.tsx';
import { ContactList } from './contact-list.tsx';
import { ContactScreen } from './contact-screen.tsx';
import { PipelineScreen } from './pipeline-screen.tsx';

/** Whom the agents know: as a list, by the stages of the pipeline, or one of them. */
export function Contacts({ view }: { readonly view: string | undefined }) {
  const of = tenant.value;
  if (view === 'pipeline' && isAtLeast('admin')) return <PipelineScreen />;
  if (view !== undefined && view !== 'board') return <ContactScreen key={view} id={view} />;
  const isBoard = view === 'board';
  return (
    <Page
      title="Contacts"
      lead="Visitors whom your website has signed in. Whoever only types a name is not listed."
      action={
        isAtLeast('admin') && (
          <a class="button" href={linkTo('contacts', 'pipeline')}>
            Edit pipeline
          </a>
        )
      }
    >
      {of ? (
        <>
          <Tabs
            of="Views"
            tabs={[
              { name: 'List', href: linkTo('contacts'), isHere: !isBoard },
              { name: 'Pipeline', href: linkTo('contacts', 'board'), isHere: isBoard },
            ]}
          />
          {isBoard ? (
            <Board key={of.id} tenantId={of.id} stages={of.pipeline.stages} />
          ) : (
            <ContactList key={of.id} tenantId={of.id} stages={of.pipeline.stages} />
          )}
        </>
      ) : (
        <NoAgents why="Contacts are the visitors who have proved to an agent who they are." />
      )}
    </Page>
  );
}
