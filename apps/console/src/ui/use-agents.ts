import { useEffect, useState } from 'preact/hooks';
import { allPages } from '../api/all-pages.ts';
import { revalidation } from '../api/call.ts';
import { useAsking } from './use-asking.ts';

interface Agent {
  readonly id: string;
  readonly name?: string;
}

/** The agents of a tenant, to choose one and to name them. */
export function useAgents(tenantId: string): readonly Agent[] {
  const [agents, setAgents] = useState<readonly Agent[]>([]);
  const ask = useAsking(tenantId);
  const round = revalidation.value;
  useEffect(() => {
    if (round === null) return;
    const isNews = ask();
    allPages<Agent>(`/agents?tenantId=${tenantId}`).then(
      (all) => isNews() && setAgents(all),
      // What is listed beside it says what is wrong.
      () => isNews() && setAgents([]),
    );
  }, [tenantId, round, ask]);
  return agents;
}
