import { ApiError } from '../api/api-error.ts';

interface Sent {
  /** Empty: nothing waits to be sent again. */
  readonly messageId: string;
  readonly messageText: string;
}

/** Under which a text is sent: what is sent again after a failure, or a reload, is said once; another text is another message. */
export const messageIdOf = ({ messageId, messageText }: Sent, text: string): string =>
  messageId !== '' && messageText === text ? messageId : crypto.randomUUID();

/** Whether the service has refused what was sent under an id, which it will do whenever it is sent under it again. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'CONFLICT' || 'id' in error.fields);
