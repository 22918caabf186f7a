import type { SessionEvent, SessionEventType } from '@parley/protocol/event';
import type { Violation } from './history.ts';
import type { Log } from './read-log.ts';

const ends = new Set<SessionEventType>(['turn.completed', 'turn.failed', 'turn.cancelled']);
/** They carry the coordinates of the last turn and belong to none. */
const outside = new Set<SessionEventType>([
  'context.cleared',
  'compaction.requested',
  'compaction.completed',
]);
/**
 * What time or a member does while input is waited for, and nobody has to answer: they carry the coordinates of the turn that
 * asked, or of the last one, and stand between turns or in that very turn. Whatever answers, or asks anew
 * (`input.answered`, `input.approved`, `action.amended`), has a turn of its own, whose end says that the session waits.
 */
const between = new Set<SessionEventType>([
  'input.expired',
  'approval.delegated',
  'team.joined',
  'team.left',
  'team.answered',
]);

/** Turn shape: one turn at a time, steps in order, one end, nothing after it. */
export function checkTurns(logs: readonly Log[]): Violation[] {
  return logs.flatMap(({ session, events }) =>
    faults(events).map((fault): Violation => ({ invariant: 'turn shape', detail: `${session}: ${fault}` })),
  );
}

function faults(events: readonly SessionEvent[]): string[] {
  const found: string[] = [];
  const started = new Set<string>();
  let open: { turnId: string; nextStep: number; stepOpen: boolean } | null = null;
  let awaitsWaiting = false;

  for (const [index, event] of events.entries()) {
    const fault = (text: string) => found.push(`${text} (${event.type} at index ${index})`);
    const { turnId, stepIndex } = coordinates(event);
    if (awaitsWaiting && event.type !== 'session.waiting')
      fault('a turn ended and the session did not say that it waits');
    awaitsWaiting = false;

    if (event.type === 'turn.started') {
      if (open) fault(`${event.data.turnId} started while ${open.turnId} was open`);
      if (started.has(event.data.turnId)) fault(`${event.data.turnId} started twice`);
      started.add(event.data.turnId);
      open = { turnId: event.data.turnId, nextStep: 0, stepOpen: false };
      continue;
    }
    if (event.type === 'session.waiting' && open) fault(`${open.turnId} was open`);
    if (turnId === undefined || outside.has(event.type)) continue;
    if (open === null && between.has(event.type)) {
      if (!started.has(turnId) && started.size > 0) fault(`${turnId} has not started`);
      continue;
    }
    if (open?.turnId !== turnId) {
      if (!isDenial(event)) fault(`${turnId} is not open`);
      continue;
    }
    if (event.type === 'step.started') {
      if (event.data.stepIndex !== open.nextStep) fault(`step ${open.nextStep} was next`);
      if (open.stepOpen) fault('the step before it was open');
      open = { ...open, nextStep: open.nextStep + 1, stepOpen: true };
    } else if (stepIndex !== undefined && stepIndex !== open.nextStep - 1 && !isOfHeldStep(event, open)) {
      fault(`step ${open.nextStep - 1} was the last to start`);
    }
    if (event.type === 'step.completed') {
      if (!open.stepOpen) fault('no step was open');
      open = { ...open, stepOpen: false };
    }
    if (ends.has(event.type)) {
      open = null;
      awaitsWaiting = true;
    }
  }
  if (open) found.push(`${open.turnId} has no end`);
  return found;
}

function coordinates(event: SessionEvent): { turnId?: string; stepIndex?: number } {
  if (!('data' in event) || !('turnId' in event.data)) return {};
  const { turnId } = event.data;
  return 'stepIndex' in event.data ? { turnId, stepIndex: event.data.stepIndex } : { turnId };
}

const ofHeldStep = new Set<SessionEventType>(['action.result', 'action.amended', 'input.requested']);

/** While others of the step are waited for, the page's result of one call, or what a member changed of one: no step runs in its turn. */
const isOfHeldStep = (event: SessionEvent, { nextStep }: { nextStep: number }): boolean =>
  nextStep === 0 && ofHeldStep.has(event.type) && coordinates(event).stepIndex === 0;

/** A denial is written with the coordinates of the turn that asked. */
function isDenial(event: SessionEvent): boolean {
  return (
    event.type === 'input.answered' || (event.type === 'action.result' && event.data.status === 'rejected')
  );
}
