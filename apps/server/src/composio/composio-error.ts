/**
 * Why Composio did not answer, or not as it should; `no-answer`: it may have been reached, and nothing came back that can
 * be read. The message is one sentence, for administrators and safe to show to a model.
 */
export class ComposioError extends Error {
  override readonly name = 'ComposioError';
  readonly code: 'denied' | 'redirect' | 'timeout' | 'too-large' | 'no-answer' | 'failed';

  constructor(code: ComposioError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
