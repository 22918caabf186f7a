import type { AgentView } from '@parley/protocol/settings/agent';
import type { ConnectionView, RemoteView } from '@parley/protocol/settings/connection';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, deleteIfThere, revalidation } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { go } from '../router.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Failed } from '../ui/failed.tsx';
import { Loading, Problem } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import { useAsking } from '../ui/use-asking.ts';
import { CalendarForm } from './calendar-form.tsx';
import { ComposioForm } from './composio-form.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';
import { ConnectionForm } from './connection-form.tsx';
import { SignIn } from './sign-in.tsx';
import { MailForm } from './mail-form.tsx';
import { ToolChoice } from './tool-choice.tsx';

interface ConnectionScreenProps {
  readonly id: string;
  readonly agents: readonly AgentView[];
  readonly trail: readonly { readonly name: string; readonly href?: string }[];
}

export function ConnectionScreen({ id, agents, trail }: ConnectionScreenProps) {
  const [connection, setConnection] = useState<ConnectionView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isChecking, setChecking] = useState(false);
  const round = revalidation.value;
  const begin = useAsking();
  const ask = async (asked: Promise<ConnectionView>) => {
    const isNews = begin();
    try {
      const answer = await asked;
      if (!isNews()) return;
      setConnection(answer);
      setProblem(null);
    } catch (error) {
      if (isNews()) setProblem(sentenceOf(error));
    }
  };
  useEffect(() => {
    if (round !== null) void ask(call('GET', `/connections/${id}`));
  }, [id, round]);
  if (connection === null) return problem ? <Failed trail={trail}>{problem}</Failed> : <Loading />;

  const check = async () => {
    setChecking(true);
    await ask(call('POST', `/connections/${id}/check`, undefined, AbortSignal.timeout(connectTimeoutMs)));
    setChecking(false);
    announce('The server was asked again.');
  };
  const disconnect = async () => {
    const isCalendar = connection.kind === 'calendar';
    const text = endOf(connection);
    const action = isCalendar ? 'Delete' : 'Disconnect';
    if (!(await confirm({ title: `${action} ${connection.name}?`, text, action }))) return;
    try {
      await deleteIfThere(`/connections/${id}`);
      announce(`${connection.name} was ${isCalendar ? 'deleted' : 'disconnected'}.`);
      go('integrations');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  const agent = agents.find((each) => each.id === connection.agentId);
  const server = connection.kind === 'mcp' ? connection.server : null;
  return (
    <Page
      title={connection.name}
      trail={trail}
      lead={`For ${agent?.name ?? 'an agent'}${server ? `. The server calls itself ${server.name} ${server.version}` : ''}.`}
      action={
        isAtLeast('admin') && (
          <div class="actions">
            {connection.kind !== 'calendar' && (
              <button type="button" class="button" disabled={isChecking} onClick={() => void check()}>
                {isChecking ? 'Asking…' : 'Test'}
              </button>
            )}
            <button type="button" class="button danger-quiet" onClick={() => void disconnect()}>
              {connection.kind === 'calendar' ? 'Delete' : 'Disconnect'}
            </button>
          </div>
        )
      }
    >
      {problem && <Problem>{problem}</Problem>}
      <Kind connection={connection} onSaved={setConnection} />
    </Page>
  );
}

/** What goes with a connection. */
function endOf(connection: ConnectionView): string {
  if (connection.kind === 'calendar') return 'All that is booked in it is deleted with it.';
  const lost = 'The agent loses its tools at once, and calls that wait for an approval are not made.';
  if (connection.kind === 'mail')
    return `${lost} Invitations, requests for approval and notices leave by another connection for mail, or by none.`;
  if (connection.signIn === 'none') return lost;
  return `${lost} ${connection.signIn === 'agent' ? 'Its sign-in ends' : 'What visitors have signed in to ends'}, there as well.`;
}

interface KindProps {
  readonly connection: ConnectionView;
  readonly onSaved: (connection: ConnectionView) => void;
}

function Kind({ connection, onSaved }: KindProps) {
  switch (connection.kind) {
    case 'mcp':
    case 'composio':
      return <Server connection={connection} onSaved={onSaved} />;
    case 'mail':
      return <MailForm key={connection.host} mail={connection} onSaved={onSaved} />;
    case 'calendar':
      return <CalendarForm calendar={connection} onSaved={onSaved} />;
  }
}

interface ServerProps {
  readonly connection: RemoteView;
  readonly onSaved: (connection: RemoteView) => void;
}

function Server({ connection, onSaved }: ServerProps) {
  const { status, problem, tools, name, url, signIn, signedIn } = connection;
  // At Composio tools are listed without an account: where each visitor has one, nobody else needs any.
  const isSignIn = signIn !== 'none' && (connection.kind === 'mcp' || signIn === 'agent');
  const isSignedOut = isSignIn && !signedIn;
  const shown = tools.map((tool) => `${tool.fingerprint}${tool.status}${tool.approval}`).join();
  return (
    <>
      {status === 'failed' && !isSignedOut && (
        <Problem isState>{problem ?? 'The server was not reached yet.'}</Problem>
      )}
      {status === 'connected' && problem !== null && <p class="notice">{problem}</p>}
      {isSignIn && <SignIn connection={connection} onSaved={onSaved} />}
      <ToolChoice key={shown} connection={connection} onSaved={onSaved} />
      {connection.kind === 'composio' ? (
        <ComposioForm key={url} connection={connection} onSaved={onSaved} />
      ) : (
        <ConnectionForm key={`${name} ${url} ${signIn}`} connection={connection} onSaved={onSaved} />
      )}
    </>
  );
}
