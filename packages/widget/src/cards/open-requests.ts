import type { Transcript } from '@parley/client/transcript';

/** How much the agent waits for the visitor to answer, approve or sign in to. */
export function openRequests({ requests, turns }: Transcript): number {
  const parts = turns.at(-1)?.parts ?? [];
  return requests.length + parts.filter((part) => part.kind === 'sign-in' && !part.outcome).length;
}
