import type { InputResponse } from '@parley/protocol/ask';
import type { ActionResult, ClientTool as ClientToolDeclaration } from '@parley/protocol/client-tool';

/** What it takes to read a session and to write to it. Plain JSON: keep it over reloads, and keep it secret. */
export type SessionReference = { sessionId: string; continuationToken: string };

export type MessageInputPart =
  | { type: 'text'; text: string }
  /** What `uploadFile` has stored. */
  | { type: 'file'; fileId: string }
  /** `data` is base64, a `data:` URL or a URL. */
  | { type: 'file'; mediaType: string; data: string; filename?: string };

export type TurnOptions = {
  /** What you call the message, in 16 to 64 characters: it comes back in `message.received`. */
  clientMessageId?: string;
  /** What the model is told besides the message, such as the page the visitor is on. */
  clientContext?: string | readonly string[] | Record<string, unknown>;
  /** JSON Schema of a structured result. */
  outputSchema?: Record<string, unknown>;
  /** Functions of the page that the agent may call from now on, instead of those named before. */
  clientTools?: readonly ClientToolDeclaration[];
};

/** `shownIndex`: the transcript's `nextIndex` when it was written. What was asked later it does not answer. */
export type MessageInput =
  | string
  | ({ message: string | readonly MessageInputPart[]; shownIndex?: number } & TurnOptions);

/** Answers to approvals and questions, alone or along with a message. */
export type ResponseInput = TurnOptions & {
  inputResponses?: readonly InputResponse[];
  /** What came of the calls of `clientTools`. */
  actionResults?: readonly ActionResult[];
  message?: string | readonly MessageInputPart[];
};
