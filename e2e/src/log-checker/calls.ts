import { isDeepStrictEqual } from 'node:util';
import type { Delivery, History, Violation } from './history.ts';
import type { Log } from './read-log.ts';

interface Call {
  readonly callId: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  requested: number;
  retried: number;
  results: string[];
  /** The arguments somebody approved before the result came. */
  approved: unknown;
}

/** Tool effect and approval: the log knows of every delivery, repeats are marked, and what needs a person had one. */
export function checkCalls(history: History, logs: readonly Log[]): Violation[] {
  const violations: Violation[] = [];
  const effect = (detail: string) => violations.push({ invariant: 'tool effect', detail });
  const calls = logs.flatMap(readCalls);

  for (const { callId, tool, requested, results } of calls) {
    if (requested > 1) effect(`The call ${callId} of ${tool} was requested ${requested} times.`);
    if (results.length > 1) effect(`The call ${callId} of ${tool} has ${results.length} results.`);
  }
  for (const deliveries of deliveredOrders(history.deliveries)) {
    const { tool, order } = deliveries[0];
    const sameOrder = calls.filter((call) => call.tool === tool && call.input['order'] === order);
    const keys = new Set(deliveries.map(({ idempotencyKey }) => idempotencyKey));
    if (sameOrder.length === 0) effect(`${tool} was called for ${order}, and the log does not know.`);
    if (keys.size > 1 || keys.has(null)) effect(`${tool} was called for ${order} with ${keys.size} keys.`);
    const marked = sameOrder.reduce((sum, { retried }) => sum + retried, 0);
    const allowed = history.tools[tool]?.idempotent ? 1 + marked : 1;
    if (deliveries.length > allowed)
      effect(`${tool} was called ${deliveries.length} times for ${order}; ${allowed} were in order.`);
  }
  for (const call of calls) {
    const delivered = history.deliveries.some(
      ({ tool, order }) => tool === call.tool && order === call.input['order'],
    );
    if (call.results.includes('completed') && !delivered)
      effect(`The call ${call.callId} of ${call.tool} has a result and was never delivered.`);
    if (!history.tools[call.tool]?.approval || !(delivered || call.results.includes('completed'))) continue;
    if (!isDeepStrictEqual(call.approved, call.input))
      violations.push({
        invariant: 'approval',
        detail: `The call ${call.callId} of ${call.tool} ran without approval of its arguments.`,
      });
  }
  return violations;
}

function deliveredOrders(deliveries: readonly Delivery[]): [Delivery, ...Delivery[]][] {
  const orders = new Map<string, [Delivery, ...Delivery[]]>();
  for (const delivery of deliveries) {
    const name = JSON.stringify([delivery.tool, delivery.order]);
    const earlier = orders.get(name);
    if (earlier) earlier.push(delivery);
    else orders.set(name, [delivery]);
  }
  return [...orders.values()];
}

function readCalls({ events }: Log): Call[] {
  const calls = new Map<string, Call>();
  const asked = new Map<string, { callId: string; input: unknown }>();
  for (const event of events) {
    switch (event.type) {
      case 'actions.requested':
        for (const { callId, toolName, input } of event.data.actions) {
          const known = calls.get(callId);
          if (known) known.requested += 1;
          else
            calls.set(callId, {
              callId,
              tool: toolName,
              input,
              requested: 1,
              retried: 0,
              results: [],
              approved: undefined,
            });
        }
        break;
      case 'action.retried': {
        const call = calls.get(event.data.callId);
        if (call) call.retried += 1;
        break;
      }
      case 'action.result':
        calls.get(event.data.result.callId)?.results.push(event.data.status);
        break;
      case 'input.requested':
        for (const { requestId, action } of event.data.requests) {
          asked.set(requestId, { callId: action.callId, input: action.input });
        }
        break;
      case 'input.answered': {
        const request = asked.get(event.data.requestId);
        const call = request && calls.get(request.callId);
        if (call && event.data.optionId === 'approve' && call.results.length === 0)
          call.approved = request.input;
        break;
      }
    }
  }
  return [...calls.values()];
}
