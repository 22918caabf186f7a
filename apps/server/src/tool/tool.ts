import type { InputRequest } from '@parley/protocol/ask';
import type { OfferedTool } from '../model/model.ts';

export type ToolOutcome = { ok: true; output: unknown } | { ok: false; code?: string; message: string };

/** The visitor has to sign in before the call can be made: nothing was called. */
export interface SignInRequired {
  readonly ok: false;
  readonly code: 'SIGN_IN_REQUIRED';
  readonly message: string;
  readonly signIn: SignInOffer;
}

/** How a visitor signs in. */
export interface SignInOffer {
  /** Of what they sign in to. */
  readonly name: string;
  readonly host: string;
  /** Where they begin, up to a time in Unix milliseconds. */
  link(expiresAt: number): string;
  /** Resolves once they have signed in, or have said that they do not want to; rejects when aborted. */
  outcome(signal: AbortSignal): Promise<'authorized' | 'declined'>;
}

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
  /** Of the session; it is not for the far side. */
  readonly sessionId: string;
}

interface ToolBase extends OfferedTool {
  /** What is wrong with the arguments, written for the model, or undefined when nothing is. */
  invalid(input: unknown): string | undefined;
}

/** Executed by this service. */
export interface ServerTool<Outcome = ToolOutcome | Retrieval | SignInRequired> extends ToolBase {
  readonly executor: 'server';
  readonly interfaces: readonly ('chat' | 'sessions')[];
  readonly approval: 'never' | 'once' | 'always';
  /** How long an approval can be given; null: for as long as the session lasts. */
  readonly approvalExpiresAfterMs: number | null;
  /** A call whose outcome is unknown after a crash may be delivered again. */
  readonly idempotent: boolean;
  readonly visibility: 'full' | 'status';
  readonly timeoutMs: number;
  /** Visitors sign in to it themselves, so that somebody has to be there. */
  readonly perVisitor?: true;
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

/** Answered by the team: a call becomes a question in the inbox and ends the turn, which its answer resumes. */
export interface TeamTool extends ToolBase {
  readonly executor: 'team';
  request: VisitorTool['request'];
}

/** What a model may call. */
export type Tool = ServerTool | ClientTool | VisitorTool | TeamTool;
