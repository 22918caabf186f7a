import type { RemoteView } from '@parley/protocol/settings/connection';
import { useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isAtLeast } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { confirm } from '../ui/confirm.tsx';
import { Problem } from '../ui/notice.tsx';
import { connectTimeoutMs } from './connect-timeout-ms.ts';

interface SignInProps {
  readonly connection: RemoteView;
  readonly onSaved: (connection: RemoteView) => void;
}

/** Whether somebody is signed in at the server of a connection, and how to be. */
export function SignIn({ connection, onSaved }: SignInProps) {
  const { id, name, url, signIn, signedIn, problem: reason } = connection;
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const host = connection.kind === 'composio' ? connection.toolkit : (URL.parse(url)?.host ?? url);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(null);
    try {
      await work();
    } catch (error) {
      setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  const begin = () =>
    attempt(async () => {
      const asked = AbortSignal.timeout(connectTimeoutMs);
      const begun = await call<{ url: string }>('POST', `/connections/${id}/sign-in`, undefined, asked);
      const to = URL.parse(begun.url);
      // What a server of others names may be anything.
      if (to?.protocol === 'https:' || to?.protocol === 'http:') location.assign(to.href);
    });
  const end = async () => {
    const text =
      signIn === 'visitor'
        ? 'Visitors stay signed in. The tools are not looked at again until somebody signs in.'
        : 'The agent cannot use its tools until somebody signs in again.';
    if (!(await confirm({ title: `Sign out of ${name}?`, text, action: 'Sign out' }))) return;
    await attempt(async () => {
      const asked = AbortSignal.timeout(connectTimeoutMs);
      onSaved(await call<RemoteView>('DELETE', `/connections/${id}/sign-in`, undefined, asked));
      announce(`Signed out of ${name}.`);
    });
  };
  return (
    <section>
      <h2 class="section">Sign-in</h2>
      <div class="card connection-sign-in">
        {problem && <Problem>{problem}</Problem>}
        <p>
          <strong>
            {signedIn ? `Signed in at ${host}.` : (reason ?? `Nobody has signed in at ${host}.`)}
          </strong>{' '}
          {signIn === 'visitor'
            ? 'A member’s sign-in only lists the tools. Each visitor signs in with an account of their own, in the chat; over the Chat interface, where nobody could, these tools are not offered.'
            : 'Whatever the agent does there, it does as whoever signed in.'}
        </p>
        {isAtLeast('admin') && (
          <div class="actions">
            {signedIn && (
              <button type="button" class="button" disabled={isBusy} onClick={() => void end()}>
                Sign out
              </button>
            )}
            <button
              type="button"
              class={signedIn ? 'button' : 'button primary'}
              disabled={isBusy}
              onClick={() => void begin()}
            >
              {isBusy ? 'One moment…' : signedIn ? 'Sign in as somebody else' : 'Sign in'}
            </button>
          </div>
        )}
      </div>
    </section>
  );
}
