/** Why a server of tools did not answer. The message is one sentence, for administrators and safe to show to a model. */
export class McpError extends Error {
  override readonly name = 'McpError';
  readonly code:
    | 'denied'
    | 'redirect'
    | 'unauthorized'
    | 'session-ended'
    | 'timeout'
    | 'too-large'
    | 'failed';

  constructor(code: McpError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
