import type { SessionEvent } from '@parley/protocol/event';
import type { History } from './history.ts';

export interface Log {
  readonly session: string;
  readonly events: readonly SessionEvent[];
}

export function readLogs({ logs }: History): Log[] {
  return [...logs].map(([session, lines]) => ({
    session,
    events: lines.map((line): SessionEvent => JSON.parse(line)),
  }));
}
