import { jsonFault } from '@parley/protocol/text';
import type { SessionRecord } from '../store/session-store.ts';
import { readState } from '../session/state/read-state.ts';
import type { AgentRuntime } from './agent-runtime.ts';
import { serverTool } from './offered-tools.ts';

/** What is wrong with the arguments that somebody gives a call, as its tool says; null: nothing is. */
export async function invalidArguments(
  resolve: (session: SessionRecord) => Promise<AgentRuntime | null>,
  session: SessionRecord,
  toolName: string,
  input: Record<string, unknown>,
): Promise<string | null> {
  const runtime = await resolve(session);
  if (!runtime) return 'The agent does not exist any more.';
  try {
    const tool = serverTool({ ...runtime, session, state: readState(session) }, toolName);
    if (!tool) return `The tool ${toolName} does not exist any more.`;
    if (jsonFault(input) !== null) return 'The arguments are nested too deep, or have a NUL.';
    return tool.invalid(input) ?? null;
  } finally {
    runtime.release();
  }
}
