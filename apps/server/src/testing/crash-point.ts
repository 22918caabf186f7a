import type { Egress } from '../egress/egress.ts';
import type { resolveAgent } from '../resolve-agent.ts';
import type { StoredEvent } from '../store/event-store.ts';
import type { Store } from '../store/store.ts';

type Moment =
  | 'accept commit'
  | 'model call'
  | 'first delta'
  | 'call journal'
  | 'call delivery'
  | 'result journal'
  | 'step checkpoint'
  | 'final commit';

/** Where the process kills itself: right before or right after the n-th time of a moment. */
export interface CrashPoint {
  readonly side: 'before' | 'after';
  readonly moment: Moment;
  readonly time: number;
}

/** Wrappers around the parts of a service, through which the process dies at one point. */
export interface Crash {
  store(store: Store): Store;
  egress(egress: Egress): Egress;
  resolveAgent(inner: typeof resolveAgent): typeof resolveAgent;
}

export function crashAt(point: CrashPoint): Crash {
  let times = 0;

  function reach(side: CrashPoint['side'], moment: Moment): void {
    if (side !== point.side || moment !== point.moment) return;
    times += 1;
    if (times === point.time) process.kill(process.pid, 'SIGKILL');
  }

  async function around<T>(reached: readonly Moment[], work: () => Promise<T>): Promise<T> {
    for (const moment of reached) reach('before', moment);
    const result = await work();
    for (const moment of reached) reach('after', moment);
    return result;
  }

  return {
    store: (store) => {
      const begunSteps = new Set<string>();
      return {
        ...store,
        enqueue: (acceptance) => around(['accept commit'], () => store.enqueue(acceptance)),
        commit: (lease, commit) =>
          around(momentsOf(lease.sessionId, commit.events, begunSteps), () => store.commit(lease, commit)),
      };
    },
    egress: (egress) => ({
      ...egress,
      request: (request) => around(['call delivery'], () => egress.request(request)),
    }),
    resolveAgent: (inner) => async (parts, session) => {
      const runtime = await inner(parts, session);
      if (!runtime) return null;
      const { model } = runtime;
      return {
        ...runtime,
        model: {
          id: model.id,
          async *stream(call) {
            reach('before', 'model call');
            for await (const part of model.stream(call)) {
              if (part.type === 'finish') reach('after', 'model call');
              yield part;
            }
          },
        },
      };
    },
  };
}

function momentsOf(
  sessionId: string,
  events: readonly Pick<StoredEvent, 'event'>[],
  begunSteps: Set<string>,
): Moment[] {
  const reached = new Set<Moment>();
  for (const { event } of events) {
    switch (event.type) {
      case 'message.appended': {
        const step = `${sessionId} ${event.data.turnId} ${event.data.stepIndex}`;
        if (!begunSteps.has(step)) reached.add('first delta');
        begunSteps.add(step);
        break;
      }
      case 'actions.requested':
        reached.add('call journal');
        break;
      case 'action.result':
        reached.add('result journal');
        break;
      case 'step.completed':
        reached.add('step checkpoint');
        break;
      case 'turn.completed':
        reached.delete('step checkpoint');
        reached.add('final commit');
        break;
    }
  }
  return [...reached];
}
