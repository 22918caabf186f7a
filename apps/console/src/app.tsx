import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from './api/api-error.ts';
import { revalidation, sessionEnded } from './api/call.ts';
import { loadMember, member, readRoleWhenSeen } from './api/member.ts';
import { linkTo, path } from './router.ts';
import { routeOf } from './routes.ts';
import { Agents } from './screens/agents.tsx';
import { Join } from './screens/join.tsx';
import { NewAgent } from './agent/new-agent.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { SignInAgain } from './screens/sign-in-again.tsx';
import { lazy } from './ui/lazy.tsx';
import { Start } from './start/start.tsx';
import { Announcement } from './ui/announcement.tsx';
import { ConfirmDialog } from './ui/confirm.tsx';
import { Failed } from './ui/failed.tsx';
import { Loading, Problem } from './ui/notice.tsx';

const Account = lazy(async () => (await import('./screens/account.tsx')).Account);
const AgentScreen = lazy(async () => (await import('./agent/agent-screen.tsx')).AgentScreen);
const ApiChannel = lazy(async () => (await import('./channel/api-channel.tsx')).ApiChannel);
const Changes = lazy(async () => (await import('./screens/changes.tsx')).Changes);
const Integrations = lazy(async () => (await import('./screens/integrations.tsx')).Integrations);
const Members = lazy(async () => (await import('./screens/members.tsx')).Members);
const Tools = lazy(async () => (await import('./tools/tools.tsx')).Tools);
const Conversations = lazy(async () => (await import('./conversations/conversations.tsx')).Conversations);
const ConversationScreen = lazy(
  async () => (await import('./conversations/conversation-screen.tsx')).ConversationScreen,
);
const Connections = lazy(async () => (await import('./connections/connections.tsx')).Connections);
const Contacts = lazy(async () => (await import('./contacts/contacts.tsx')).Contacts);
const Inbox = lazy(async () => (await import('./inbox/inbox.tsx')).Inbox);
const Webhooks = lazy(async () => (await import('./webhooks/webhooks.tsx')).Webhooks);
const Usage = lazy(async () => (await import('./usage/usage.tsx')).Usage);

export function App() {
  const [problem, setProblem] = useState<string | null>(null);
  const round = revalidation.value;
  useEffect(() => {
    if (round === null || member.peek() !== undefined) return;
    loadMember().then(
      () => setProblem(null),
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  }, [round]);
  useEffect(readRoleWhenSeen, []);
  return (
    <>
      {problem ? <Problem>{problem}</Problem> : <Screen />}
      <ConfirmDialog />
      <Announcement />
    </>
  );
}

function Screen() {
  const [first = '', second, third] = path.value;
  if (first === 'invitation' && second !== undefined) return <Join key={second} token={second} />;
  if (member.value === undefined) return <Loading />;
  if (member.value === null) return <SignIn />;
  return (
    <>
      <Shell key={member.value.id}>
        {routeOf(path.value) === null ? <Nowhere /> : <Content first={first} second={second} third={third} />}
      </Shell>
      {sessionEnded.value && <SignInAgain />}
    </>
  );
}

const Nowhere = () => (
  <Failed trail={[{ name: 'Agents', href: linkTo('agents') }]}>
    There is nothing at this address. It may be mistyped, or from another version.
  </Failed>
);

interface Route {
  readonly first: string;
  readonly second: string | undefined;
  readonly third: string | undefined;
}

function Content({ first, second, third }: Route) {
  switch (first) {
    case 'conversations':
      return second === undefined ? <Conversations /> : <ConversationScreen key={second} id={second} />;
    case 'inbox':
      return <Inbox view={second} id={third} />;
    case 'contacts':
      return <Contacts view={second} />;
    case 'usage':
      return <Usage />;
    case 'integrations':
      if (second === 'webhooks') return <Webhooks id={third} />;
      if (second === 'connections') return <Connections id={third} />;
      return second === 'channels' && third === 'api' ? <ApiChannel /> : <Integrations />;
    case 'tools':
      return <Tools id={second} />;
    case 'members':
      return <Members />;
    case 'changes':
      return <Changes />;
    case 'start':
      return <Start agentId={second} />;
    case 'account':
      return <Account />;
    default:
      if (second === undefined) return <Agents />;
      return second === 'new' ? <NewAgent /> : <AgentScreen key={second} id={second} tab={third} />;
  }
}
