import type { SessionEvent } from '@parley/protocol/event';
import type { LoggedEvent } from '@parley/protocol/settings/conversation';

/** What happened in a turn, one after the other, and how long it took; null while it goes on, or where it broke off. */
export interface Step {
  readonly kind: 'model' | 'tool';
  /** Of a tool, its name. */
  readonly name: string;
  readonly tookMs: number | null;
  /** Of a call of the model, as its provider told. */
  readonly tokens: { readonly input: number; readonly output: number } | null;
  readonly outcome: 'completed' | 'failed' | 'rejected' | null;
}

/** The turn that an event belongs to, or null. */
export function turnIdOf(event: SessionEvent): string | null {
  return 'data' in event && 'turnId' in event.data ? event.data.turnId : null;
}

/** Why a turn failed, in the words for whoever sets the agent up; null where it did not, or nobody knows. */
export function failureOf(events: readonly LoggedEvent[]): string | null {
  const failed = events.findLast(({ event }) => event.type === 'turn.failed')?.event;
  if (failed?.type !== 'turn.failed') return null;
  const { cause } = Object(failed.data.details) as { readonly cause?: { readonly message?: unknown } };
  return typeof cause?.message === 'string' ? cause.message : null;
}

/** The revision of the agent that answered; null where it was a draft, or nobody knows. */
export function revisionOf(events: readonly LoggedEvent[]): number | null {
  const started = events.find(({ event }) => event.type === 'turn.started')?.event;
  return started?.type === 'turn.started' ? (started.data.revision ?? null) : null;
}

interface Open {
  readonly at: number;
  readonly index: number;
}

/** The steps of a turn from its events: each call of the model, and each call of a tool. */
export function stepsOf(events: readonly LoggedEvent[]): readonly Step[] {
  const steps: Step[] = [];
  const models = new Map<number, Open>();
  const tools = new Map<string, Open>();
  const change = (index: number, changed: Partial<Step>) => (steps[index] = { ...steps[index]!, ...changed });
  const answered = (stepIndex: number, at: number) => {
    const model = models.get(stepIndex);
    if (model && steps[model.index]?.tookMs === null) change(model.index, { tookMs: at - model.at });
    return model;
  };
  for (const { event } of events) {
    const at = Date.parse(event.meta.at);
    switch (event.type) {
      case 'step.started':
        models.set(event.data.stepIndex, { at, index: steps.length });
        steps.push({ kind: 'model', name: '', tookMs: null, tokens: null, outcome: null });
        break;
      case 'actions.requested':
        answered(event.data.stepIndex, at);
        for (const { callId, toolName } of event.data.actions) {
          tools.set(callId, { at, index: steps.length });
          steps.push({ kind: 'tool', name: toolName, tookMs: null, tokens: null, outcome: null });
        }
        break;
      case 'action.result': {
        const tool = tools.get(event.data.result.callId);
        if (tool) change(tool.index, { tookMs: at - tool.at, outcome: event.data.status });
        break;
      }
      case 'step.completed': {
        const model = answered(event.data.stepIndex, at);
        const { usage } = event.data;
        const tokens = usage && { input: usage.inputTokens ?? 0, output: usage.outputTokens ?? 0 };
        if (model) change(model.index, { outcome: 'completed', tokens: tokens ?? null });
        break;
      }
      case 'step.failed': {
        const model = answered(event.data.stepIndex, at);
        if (model) change(model.index, { outcome: 'failed' });
        break;
      }
    }
  }
  return steps;
}
