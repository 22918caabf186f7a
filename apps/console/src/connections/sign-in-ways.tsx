import type { McpView } from '@parley/protocol/settings/mcp-connection';

type Way = McpView['signIn'];

const words: Readonly<Record<Way, string>> = {
  none: 'Nobody',
  agent: 'A member, once for the agent',
  visitor: 'Each visitor, with an account of their own',
};

export const signInHint = 'By OAuth, at the service itself: no password comes here.';

/** Who may sign in at the server of a connection, as the options of a choice. */
export const SignInWays = () => (
  <>
    {Object.entries(words).map(([way, said]) => (
      <option key={way} value={way}>
        {said}
      </option>
    ))}
  </>
);
