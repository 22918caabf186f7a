import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from './api/api-error.ts';
import { sessionEnded } from './api/call.ts';
import { loadMember, member } from './api/member.ts';
import { path } from './router.ts';
import { Account } from './screens/account.tsx';
import { AgentScreen } from './agent/agent-screen.tsx';
import { Agents } from './screens/agents.tsx';
import { ApiChannel } from './screens/api-channel.tsx';
import { Changes } from './screens/changes.tsx';
import { Integrations } from './screens/integrations.tsx';
import { Join } from './screens/join.tsx';
import { Members } from './screens/members.tsx';
import { NewAgent } from './agent/new-agent.tsx';
import { Shell } from './shell.tsx';
import { SignIn } from './screens/sign-in.tsx';
import { lazy } from './ui/lazy.tsx';
import { Start } from './start/start.tsx';
import { Announcement } from './ui/announcement.tsx';
import { ConfirmDialog } from './ui/confirm.tsx';
import { Loading, Problem } from './ui/notice.tsx';

const Tools = lazy(async () => (await import('./tools/tools.tsx')).Tools);

const Conversations = lazy(async () => (await import('./conversations/conversations.tsx')).Conversations);
const ConversationScreen = lazy(
  async () => (await import('./conversations/conversation-screen.tsx')).ConversationScreen,
);
const Usage = lazy(async () => (await import('./usage/usage.tsx')).Usage);

export function App() {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    loadMember().catch((error: unknown) => setProblem(sentenceOf(error)));
  }, []);
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
  if (first === 'invitation' && second !== undefined) return <Join token={second} />;
  if (member.value === undefined) return <Loading />;
  // What was entered waits in the tab's storage.
  if (member.value === null || sessionEnded.value) return <SignIn />;
  return (
    <Shell>
      <Content first={first} second={second} third={third} />
    </Shell>
  );
}

interface Parts {
  readonly first: string;
  readonly second: string | undefined;
  readonly third: string | undefined;
}

function Content({ first, second, third }: Parts) {
  switch (first) {
    case 'conversations':
      return second === undefined ? <Conversations /> : <ConversationScreen key={second} id={second} />;
    case 'usage':
      return <Usage />;
    case 'integrations':
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
