import { unexpectedAnswer } from './error.ts';

/** A page is an answer of something in between, such as the sign-in of a hotel's network. */
export function rejectPage(response: Response): Response {
  if (/html/i.test(response.headers.get('content-type') ?? '')) throw unexpectedAnswer();
  return response;
}
