import type { ProblemCode } from '@parley/protocol/problem';
import { chatTiming } from '../chat/chat-timing.ts';

interface Help {
  readonly when: string;
  readonly whatToDo: string;
}

/** What each error means, and what whoever reads it does next. `{{platform}}` is that of the service. */
export const problemHelp: Readonly<Record<ProblemCode, Help>> = {
  BAD_REQUEST: {
    when: 'The path, a header, the query or the body is not what the call takes.',
    whatToDo:
      'Read `issues`: each names a field and what was expected of it. Repeating the same request does not help.',
  },
  UNAUTHORIZED: {
    when: 'There is no key, or it is not one of this service, or it was removed or made anew.',
    whatToDo:
      'Send `Authorization: Bearer` and a key of the kind that the call asks for. A key that was lost is made anew in the console.',
  },
  SECOND_FACTOR_REQUIRED: {
    when: 'The password is right, and the member signs in with an authenticator app as well.',
    whatToDo: 'Send the same body again with `code`: six digits of the app, or a recovery code.',
  },
  VISITOR_TOKEN_REQUIRED: {
    when: 'The agent answers identified visitors only, or the call is about a visitor.',
    whatToDo: 'Have your server sign a token for the visitor and send it as `x-{{platform}}-visitor-token`.',
  },
  VISITOR_TOKEN_INVALID: {
    when: 'The visitor token has expired, is for another agent, or was signed with another secret.',
    whatToDo:
      'Sign a fresh one: `aud` is the id of the agent, `exp` at most 24 hours ahead. Look at the clock of the server that signs.',
  },
  ORIGIN_NOT_ALLOWED: {
    when: 'A page of an origin that the publishable key does not list has used it.',
    whatToDo: 'Add the origin, such as `https://www.example.com`, to the `allowedOrigins` of the key.',
  },
  NO_AGENT: {
    when: 'The key is bound to no agent, or its agent was removed.',
    whatToDo: 'Bind it: `PATCH /api/v1/settings/keys/:id` with an `agentId`.',
  },
  FORBIDDEN: {
    when: 'The credential is known, and this is not for it: a publishable key where a secret one is asked for, or a member without the role.',
    whatToDo: 'Use a secret key on a server, or ask an administrator for the role.',
  },
  NOT_FOUND: {
    when: 'There is nothing here, or nothing that this credential may see.',
    whatToDo: 'Compare the path and the id. What belongs to another tenant is answered in the same way.',
  },
  AGENT_INACTIVE: {
    when: 'The agent is switched off.',
    whatToDo: 'Show visitors the `notice`, if there is one. Switch the agent on in the console.',
  },
  SESSION_NOT_FOUND: {
    when: 'There is no such session, it was deleted, or it is somebody else’s.',
    whatToDo: 'Begin a new session.',
  },
  SESSION_NOT_RESUMABLE: {
    when: 'The continuation token belongs to no session that takes messages: it has ended, or was reset.',
    whatToDo: 'Begin a new session.',
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path is right and the method is not.',
    whatToDo: 'The header `Allow` names those that are.',
  },
  NOT_ACCEPTABLE: {
    when: '`Accept` asks for nothing that the call can answer with.',
    whatToDo: 'Ask for `application/json`, `text/plain` or `text/event-stream`, or leave the header out.',
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The `Idempotency-Key` was used before, with another body.',
    whatToDo: 'Send a new key with a new message, and the same key only with the same one.',
  },
  CONFLICT: {
    when: 'Something was changed meanwhile, or is there already.',
    whatToDo: 'Read it again, and decide on what it is now.',
  },
  TOO_LARGE: {
    when: 'The body, a message or its files are larger than the bounds.',
    whatToDo:
      'Upload files instead of sending them inside JSON. `violations` says which file is too large, and for which limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    when: 'The body is not JSON, or a file is of a type that the agent does not take.',
    whatToDo: 'Send `Content-Type: application/json`. Which files are taken is `files.types` of the agent.',
  },
  RATE_LIMITED: {
    when: 'The key has begun as many Chat turns within 60 seconds as it may.',
    whatToDo:
      'Wait for as many seconds as `Retry-After` says. For a secret key `turnsPerMinute` is a setting.',
  },
  QUEUE_FULL: {
    when: 'Too many messages of the session are waiting for their turn.',
    whatToDo: 'Wait for the turn that runs, then send again.',
  },
  QUOTA_EXCEEDED: {
    when: 'A limit of the agent is reached, such as the turns of an address or the tokens of a day.',
    whatToDo:
      'Wait for as many seconds as `Retry-After` says. A secret key reads which limit it was; `limits` of the agent changes it.',
  },
  INTERNAL: {
    when: 'Something went wrong that should not have.',
    whatToDo:
      'Repeat it with the same `Idempotency-Key`. The log of the service has the `requestId` and the cause.',
  },
  MODEL_FAILED: {
    when: 'The model could not answer.',
    whatToDo: 'With a secret key `cause` says why and what to do. The message may be sent again.',
  },
  UNAVAILABLE: {
    when: 'The process is stopping, or its database does not answer.',
    whatToDo:
      'Repeat it after `Retry-After`, with the same `Idempotency-Key`. `/readyz` says what is missing.',
  },
  TURN_TIMEOUT: {
    when: `A turn on Chat has taken ${chatTiming.turnMs / 1_000} seconds, and was stopped.`,
    whatToDo:
      'Use the Sessions interface for long work: a turn takes as long as it needs there. The message may be sent again; what tools have done by then is done.',
  },
};
