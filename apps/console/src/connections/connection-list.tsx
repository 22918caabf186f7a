import type { ConnectionView, RemoteView } from '@parley/protocol/settings/connection';
import { isAtLeast } from '../api/member.ts';
import { linkTo } from '../router.ts';
import { Loading, Problem } from '../ui/notice.tsx';
import { usePages } from '../ui/use-pages.ts';

type Listed = ConnectionView | { readonly id: string; readonly unreadable: true };

/** What the agents of a tenant are connected to. */
export function ConnectionList({ tenantId }: { readonly tenantId: string }) {
  const { items, problem, more } = usePages<Listed>(`/connections?tenantId=${tenantId}`);
  if (items === null) return problem ? <Problem>{problem}</Problem> : <Loading />;
  return (
    <div class="stack">
      {items.length > 0 && (
        <ul class="rows card">
          {items.map((connection) => (
            <li key={connection.id}>
              {'unreadable' in connection ? (
                <span class="meta">{connection.id} cannot be read as it is stored.</span>
              ) : (
                <Row connection={connection} />
              )}
            </li>
          ))}
        </ul>
      )}
      {problem && <Problem>{problem}</Problem>}
      {more && (
        <button type="button" class="button" onClick={() => void more()}>
          Show more
        </button>
      )}
      {items.length === 0 && (
        <p class="lead">
          Nothing yet. Any remote MCP server can bring its tools to an agent, Composio those of many services,
          and a calendar can be kept here.
        </p>
      )}
      {isAtLeast('admin') && (
        <div class="actions connection-ways">
          <a class="button" href={linkTo('integrations', 'connections', 'new')}>
            Connect a service
          </a>
          <a class="button" href={linkTo('integrations', 'connections', 'new-composio')}>
            Use Composio
          </a>
          <a class="button" href={linkTo('integrations', 'connections', 'new-mail')}>
            Send mail
          </a>
          <a class="button" href={linkTo('integrations', 'connections', 'new-calendar')}>
            Add a calendar
          </a>
        </div>
      )}
    </div>
  );
}

function Row({ connection }: { readonly connection: ConnectionView }) {
  return (
    <>
      <div class="tool-summary">
        <a class="row-name" href={linkTo('integrations', 'connections', connection.id)}>
          {connection.name}
        </a>
        <p class="meta">{summaryOf(connection)}</p>
      </div>
      <Badge connection={connection} />
    </>
  );
}

const countOf = ({ tools }: RemoteView, status: RemoteView['tools'][number]['status']): number =>
  tools.filter((tool) => tool.status === status).length;

function summaryOf(connection: ConnectionView): string {
  if (connection.kind === 'calendar') return `Calendar · ${connection.title}, ${connection.minutes} minutes`;
  if (connection.kind === 'mail') return `Mail · ${connection.from} by ${connection.host}`;
  const used = countOf(connection, 'approved');
  const place =
    connection.kind === 'composio' ? `Composio · ${connection.toolkit}` : URL.parse(connection.url)?.host;
  return `${place} · ${used === 1 ? '1 tool' : `${used} tools`} in use`;
}

function Badge({ connection }: { readonly connection: ConnectionView }) {
  if (connection.kind === 'calendar') return <span class="badge live">Kept here</span>;
  if (connection.kind !== 'mail' && connection.signIn !== 'none' && !connection.signedIn)
    return <span class="badge warn">Sign in</span>;
  if (connection.status === 'failed') return <span class="badge warn">Not connected</span>;
  const changed = connection.kind === 'mail' ? 0 : countOf(connection, 'changed');
  if (changed > 0) return <span class="badge warn">{changed} to look at</span>;
  return <span class="badge live">Connected</span>;
}
