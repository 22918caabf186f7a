import type { Request, Response } from 'express';
import { newToken } from '../../auth/console-sessions.ts';
import { type Cookie, createCookie } from '../../auth/console-cookie.ts';
import { attemptMs } from '../../sign-in/sign-in-attempts.ts';

/** Tells the browser in which somebody began to sign in from every other one. */
export interface SignInCookie {
  read(request: Request): string | null;
  /** What it holds from now on: what it held, so that two sign-ins at once may both be completed. */
  renew(request: Request, response: Response): string;
}

export function createSignInCookie(https: boolean): SignInCookie {
  const cookie: Cookie = createCookie('parley-sign-in', https, 'lax');
  return {
    read: (request) => cookie.read(request),
    renew(request, response) {
      const token = cookie.read(request) ?? newToken();
      cookie.set(response, token, attemptMs);
      return token;
    },
  };
}
