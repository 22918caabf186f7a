import type { InputOption, InputRequest } from '@parley/protocol/ask';
import type { Author, EventDataByType, FinishReason, MessagePart, Source } from '@parley/protocol/event';

/** What the visitor, or the team, chose; `turnId` is the turn that the answer began. */
export type InputAnswer = EventDataByType['input.answered'];

export type TextPart = {
  kind: 'text';
  stepIndex: number;
  text: string;
  done: boolean;
  finishReason?: FinishReason;
  /** What it cites. */
  sources?: readonly Source[];
};

export type ReasoningPart = { kind: 'reasoning'; stepIndex: number; text: string; done: boolean };

export type ToolState =
  | 'streaming-input'
  | 'running'
  | 'awaiting-approval'
  /** Handed to the page: a client-side tool. */
  | 'delegated'
  | 'completed'
  | 'failed'
  /** Denied by a person or by policy; it did not run. */
  | 'rejected'
  | 'expired'
  /** The turn ended before the call did. */
  | 'cancelled';

export type ToolPart = {
  kind: 'tool';
  stepIndex: number;
  callId: string;
  toolName: string;
  state: ToolState;
  /** The raw JSON received so far; meaningful while `streaming-input` only. */
  inputText: string;
  input?: unknown;
  /** Preliminary while `running`, final when `completed`. */
  output?: unknown;
  error?: { code: string; message: string };
  /** How often the call was repeated after an interruption. */
  retries: number;
  /** What its arguments were before a person of the team changed them, oldest first, and who that was where readers are told. */
  amended?: readonly { before: Record<string, unknown>; by?: string }[];
  approval?: {
    requestId: string;
    prompt: string;
    options: readonly InputOption[];
    answer?: InputAnswer;
    /** Who has approved where more than one has to, and how many have to. */
    given?: readonly ('visitor' | 'team')[];
    needed?: number;
  };
};

export type QuestionPart = {
  kind: 'question';
  stepIndex: number;
  requestId: string;
  prompt: string;
  options: readonly InputOption[];
  allowFreeform: boolean;
  display: 'confirmation' | 'select' | 'text';
  /** The whole request; `request.action.input` carries the extras of forms, dates and several choices. */
  request: InputRequest;
  state: 'open' | 'answered' | 'dismissed' | 'expired';
  answer?: InputAnswer;
};

/** The agent may go on only after the visitor has signed in somewhere else. */
export type SignInPart = {
  kind: 'sign-in';
  stepIndex: number;
  name: string;
  description: string;
  /** Where to sign in; `url` and `userCode` are looked for here. */
  authorization: Record<string, unknown>;
  outcome?: EventDataByType['authorization.completed']['outcome'];
};

/** The agent asks the team and waits. Only the team reads what, and what the answer is. */
export type TeamQuestionPart = {
  kind: 'team-question';
  stepIndex: number;
  requestId: string;
  question: string | null;
  state: 'open' | EventDataByType['team.answered']['outcome'];
  answer?: string | null;
  author?: Author | null;
};

/** The structured value of a turn that was given an `outputSchema`. */
export type ResultPart = { kind: 'result'; stepIndex: number; result: unknown };

export type TurnPart =
  | TextPart
  | ReasoningPart
  | ToolPart
  | QuestionPart
  | SignInPart
  | TeamQuestionPart
  | ResultPart;

export type Turn = {
  id: string;
  sequence: number;
  status: 'running' | 'completed' | 'failed' | 'cancelled';
  /** ISO time of the turn's first event. */
  startedAt: string;
  /** Who speaks in it: the agent where nobody is named. */
  author?: Author;
  /** Absent in a turn that an approval or an answer resumed. `id`: what its sender calls the message. */
  user?: { text: string; parts: readonly MessagePart[]; id?: string; author?: Author };
  parts: readonly TurnPart[];
  /** Nobody of the team was there when the visitor began to wait for it in this turn. */
  away?: Pick<EventDataByType['team.away'], 'reason' | 'message'>;
  error?: { code: string; message: string };
};
