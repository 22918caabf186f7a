/**
 * Why a server of tools did not answer; `no-answer`: it may have been reached, and nothing came back that can be read. The
 * message is one sentence, for administrators and safe to show to a model.
 */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code:
    | 'denied'
    | 'redirect'
    | 'unauthorized'
    | 'session-ended'
    | 'timeout'
    | 'too-large'
    | 'no-answer'
    | 'failed';
  /** What administrators are told, and no model. */
  readonly explanation: string;

  constructor(code: McpError['code'], message: string, explanation = message) {
    super(message);
    this.code = code;
    this.explanation = explanation;
  }
}
