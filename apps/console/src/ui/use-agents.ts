import { useEffect, useState } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { sessionEnded } from '../api/call.ts';

interface Agent {
  readonly id: string;
  readonly name?: string;
}

/** The agents of a tenant, to choose one and to name them. */
export function useAgents(tenantId: string): readonly Agent[] {
  const [agents, setAgents] = useState<readonly Agent[]>([]);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (ended) return;
    allPages<Agent>(`/agents?tenantId=${tenantId}`).then(
      setAgents,
      // What is listed beside it says what is wrong.
      () => setAgents([]),
    );
  }, [tenantId, ended]);
  return agents;
}
