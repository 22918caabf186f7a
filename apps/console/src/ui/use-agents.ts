import { useEffect, useState } from 'preact/hooks';
import { call, type Page, sessionEnded } from '../api/call.ts';

interface Agent {
  readonly id: string;
  readonly name?: string;
}

/** The first 200 agents of a tenant, to choose one and to name them. */
export function useAgents(tenantId: string): readonly Agent[] {
  const [agents, setAgents] = useState<readonly Agent[]>([]);
  const ended = sessionEnded.value;
  useEffect(() => {
    if (ended) return;
    call<Page<Agent>>('GET', `/agents?tenantId=${tenantId}&limit=200`).then(
      ({ items }) => setAgents(items),
      // What is listed beside it says what is wrong.
      () => setAgents([]),
    );
  }, [tenantId, ended]);
  return agents;
}
