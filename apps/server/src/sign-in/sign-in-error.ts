/** Why nobody is signed in. The message is one sentence, for whoever signs in and for administrators, and safe to show to a model. */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly code: 'denied' | 'declined' | 'not-allowed' | 'signed-out' | 'unknown-client' | 'failed';

  /**
   * `denied`: an address may not be called; `declined`: whoever was asked said no; `not-allowed`: whoever began may not
   * complete it any more, which is no fault of the connection; `signed-out`: nobody is signed in, or not any more;
   * `unknown-client`: the authorization server does not know this service, or not any more.
   */
  constructor(code: SignInError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
