import type { OfferedTool } from '../model/model.ts';

export type ToolOutcome = { ok: true; output: unknown } | { ok: false; code?: string; message: string };

export interface ToolDelivery {
  readonly callId: string;
  /** The same for every delivery of one call, also after a crash. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** The verified visitor that the call is made for; null: nobody in particular. Never taken from the arguments. */
  readonly visitor: string | null;
  /** A digest of the session's id. */
  readonly session: string;
}

/** Something the runner executes on the model's behalf. */
export interface Tool extends OfferedTool {
  readonly approval: 'never' | 'once' | 'always';
  /** How long an approval can be given; null: for as long as the session lasts. */
  readonly approvalExpiresAfterMs: number | null;
  /** A call whose outcome is unknown after a crash may be delivered again. */
  readonly idempotent: boolean;
  readonly visibility: 'full' | 'status';
  readonly timeoutMs: number;
  /** The same as long as a call with the same arguments does the same. */
  readonly fingerprint: string;
  /** What is wrong with the arguments, written for the model, or undefined when nothing is. */
  invalid(input: unknown): string | undefined;
  /** Never throws for what the far side does: a refusal, a timeout or a bad answer is an outcome. Its messages are safe to show. */
  execute(input: Record<string, unknown>, delivery: ToolDelivery): Promise<ToolOutcome>;
}
