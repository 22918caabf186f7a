import type { ProblemCode } from './problem.ts';
import type { AnswerName, RequestName } from './route-schemas.ts';

/** Whose authority a route asks for: nobody's, a secret or publishable key's, or an administrator's. */
export type Guard = 'none' | 'key' | 'admin';

export type Answer = {
  status: number;
  description: string;
  /** By media type; `text` is not JSON. Absent: no body. */
  content?: Readonly<Record<string, AnswerName | 'text'>>;
  headers?: Readonly<Record<string, string>>;
};

export type Parameter = { in: 'query' | 'header'; name: string; description: string; required?: boolean };

export type Route = {
  /** Unique; the operation's id in the reference. */
  name: string;
  tag: 'Chat' | 'Sessions' | 'Settings' | 'Service';
  method: 'get' | 'post' | 'patch' | 'delete';
  /** Express-like, with `:id`. */
  path: string;
  guard: Guard;
  summary: string;
  parameters?: readonly Parameter[];
  /** `bytes`: of any media type, as they are. */
  request?: { body: RequestName | 'bytes'; required: boolean };
  answers: readonly Answer[];
  problems: readonly ProblemCode[];
};

/** An answer whose body is JSON. */
export const json = (status: number, description: string, body: AnswerName): Answer => ({
  status,
  description,
  content: { 'application/json': body },
});
