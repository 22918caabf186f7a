import type { AssistantContent, ToolResultPart } from 'ai';
import type { InputRequest, InputResponse } from '@parley/protocol/ask';
import type { ClientTool } from '@parley/protocol/client-tool';
import type { Usage } from '@parley/protocol/event';
import type { MessageBody } from './item.ts';

export type AssistantParts = Exclude<AssistantContent, string>;

export interface Call {
  readonly callId: string;
  readonly toolName: string;
  readonly input: Record<string, unknown>;
}

/**
 * A call and, once it has one, its answer as the model will read it. In the store the answers of an open step are rows
 * of their own, so that none is written again with the next.
 */
export interface JournaledCall extends Call {
  readonly result: ToolResultPart['output'] | null;
  /** Digest of tool and arguments when the call was put into the log: a call that no longer has it is not run. */
  readonly fingerprint?: string;
}

/** A model step whose calls are being worked on: what the model said, and how far its calls are. */
export interface OpenStep {
  readonly content: AssistantParts;
  readonly calls: readonly JournaledCall[];
  /** The calls among them that wait for a person. */
  readonly requests: readonly InputRequest[];
  /** Ids of the calls among them that the visitor's page runs. */
  readonly delegated: readonly string[];
  readonly usage: Usage;
  /** The turn in whose history the step is kept; an approved step belongs to the turn that asked. */
  readonly historyTurn: number;
  /** The calls were approved after their turn had ended: the model is called after them, in the same step. */
  readonly resumed: boolean;
  /** What the page told along with the approval. */
  readonly context: readonly string[];
}

/** A message that gets a step of its own, what the page told along with it, and whether the log shows it already. */
export interface NextMessage {
  readonly body: MessageBody;
  readonly context: readonly string[];
  readonly received: boolean;
}

/** A turn that has started and not ended. Whoever takes the session over goes on from here. */
export interface OpenTurn {
  readonly sequence: number;
  readonly itemId: string;
  /** The turn whose step this one goes on with, or itself: from there on the prompt must stay whole. */
  readonly wholeFrom: number;
  /** An index of the log at or before the turn's first event. */
  readonly from: number;
  readonly stepIndex: number;
  readonly step: OpenStep | null;
  /** Text that gets a step of its own once the current step is done. */
  readonly next: readonly NextMessage[];
  readonly outputSchema: Record<string, unknown> | null;
  /** The assistant's UI message that this turn goes on with, or null. */
  readonly continues: string | null;
  /** Unix milliseconds after which the turn is cut, or null. */
  readonly deadline: number | null;
  /** The visitor that it acts for: the sender's of what it begins with. A claim of the session during the turn does not change it. */
  readonly visitor: string | null;
  /** It began because a time had come, not because somebody did something. */
  readonly unattended?: true;
}

export interface PendingRequest {
  readonly request: InputRequest;
  readonly answer: InputResponse | null;
  /** Unix milliseconds from which on nobody can answer it. Absent: it waits for as long as it takes. */
  readonly expiresAt?: number;
  /** Nobody answered in time, and the log says so. */
  readonly expired?: true;
}

/** A step that ended its turn because calls of it wait for a person or for the visitor's page. */
export interface ParkedStep {
  readonly sequence: number;
  readonly stepIndex: number;
  readonly content: AssistantParts;
  readonly calls: readonly JournaledCall[];
  readonly requests: readonly PendingRequest[];
  /** Ids of the calls that were given to the page; those without a result are waited for. */
  readonly delegated: readonly string[];
  /** Messages that came while an approval was open; they are answered after it. */
  readonly held: readonly NextMessage[];
  /** What the page told along with answers that did not suffice. */
  readonly context: readonly string[];
  /** Asked by a turn that was. */
  readonly unattended?: true;
}

export interface Summary {
  readonly text: string;
  /** The last turn the summary stands for. */
  readonly through: number;
  /** The summary before it: what counts again when a turn is taken back that this one stands for. */
  readonly previous?: Omit<Summary, 'previous'> | null;
}

export interface SessionState {
  /** Somebody is there to answer questions and approvals. */
  readonly mayAsk: boolean;
  /** Functions of the visitor's page that the model may call. */
  readonly clientTools: readonly ClientTool[];
  readonly nextTurn: number;
  readonly turn: OpenTurn | null;
  readonly parked: ParkedStep | null;
  /** Fingerprints of the tools with approval `once` that were approved in this session. */
  readonly approvedTools: readonly string[];
  /** The last turn that `clear` removed from the prompt; -1 when none. */
  readonly clearedThrough: number;
  readonly summary: Summary | null;
  /** About what the next prompt begins with: what the last model call read and said. Absent before it. */
  readonly promptTokens?: number;
  /** The user message that began each of the last turns, as a UI client named it: what regenerate and edit refer to. */
  readonly messageIds: readonly { readonly turn: number; readonly messageId: string }[];
}

export const initialState: SessionState = {
  mayAsk: true,
  clientTools: [],
  nextTurn: 0,
  turn: null,
  parked: null,
  approvedTools: [],
  clearedThrough: -1,
  summary: null,
  messageIds: [],
};
