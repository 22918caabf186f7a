import type { InputRequest } from '@parley/protocol/ask';
import type { OfferedTool } from '../model/model.ts';

export type ToolOutcome = { ok: true; output: unknown } | { ok: false; code?: string; message: string };

/** What a search found. */
export interface RetrievedPassage {
  readonly title: string;
  readonly text: string;
  /** Where a visitor can read it. */
  readonly address: string | null;
}

/** Passages, the best first, that the turn gives numbers to be cited by. */
export interface Retrieval {
  readonly ok: true;
  readonly passages: readonly RetrievedPassage[];
}

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

interface ToolBase extends OfferedTool {
  /** What is wrong with the arguments, written for the model, or undefined when nothing is. */
  invalid(input: unknown): string | undefined;
}

/** Executed by this service. */
export interface ServerTool<Outcome = ToolOutcome | Retrieval> extends ToolBase {
  readonly executor: 'server';
  readonly interfaces: readonly ('chat' | 'sessions')[];
  readonly approval: 'never' | 'once' | 'always';
  /** How long an approval can be given; null: for as long as the session lasts. */
  readonly approvalExpiresAfterMs: number | null;
  /** A call whose outcome is unknown after a crash may be delivered again. */
  readonly idempotent: boolean;
  readonly visibility: 'full' | 'status';
  readonly timeoutMs: number;
  /** The same as long as a call with the same arguments does the same. */
  readonly fingerprint: string;
  /** Never throws for what the far side does: a refusal, a timeout or a bad answer is an outcome. Its messages are safe to show. */
  execute(input: Record<string, unknown>, delivery: ToolDelivery): Promise<Outcome>;
}

/** Executed by the visitor's page: a call is handed to it and ends the turn. */
export interface ClientTool extends ToolBase {
  readonly executor: 'client';
}

/** Answered by the visitor: a call becomes an input request and ends the turn. */
export interface VisitorTool extends ToolBase {
  readonly executor: 'visitor';
  /** The request of a call whose arguments are valid. */
  request(callId: string, input: Record<string, unknown>): InputRequest;
}

/** What a model may call. */
export type Tool = ServerTool | ClientTool | VisitorTool;
