import type { Proposal } from './proposal.ts';

export interface ImportProps {
  readonly agentId: string;
  readonly onMade: (proposals: readonly Proposal[]) => void;
}
