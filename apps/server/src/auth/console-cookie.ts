import type { Request, Response } from 'express';

/** The cookie that holds the token of a session of the console: unreadable to scripts, and of this origin alone. */
export interface ConsoleCookie {
  read(request: Request): string | null;
  set(response: Response, token: string, maxAgeMs: number): void;
  clear(response: Response): void;
}

export function createConsoleCookie(https: boolean): ConsoleCookie {
  // No other host can set a cookie of this prefix, and no page without https.
  const name = https ? '__Host-parley-console' : 'parley-console';
  const options = { path: '/', httpOnly: true, sameSite: 'strict', secure: https } as const;
  return {
    read({ headers }) {
      const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
        const [key, value] = pair.trim().split('=');
        return key === name && value !== undefined ? [value] : [];
      });
      // Two of a name: one of them is somebody else's.
      return values.length === 1 && /^[\w-]{43}$/.test(values[0] ?? '') ? values[0]! : null;
    },
    set: (response, token, maxAgeMs) => void response.cookie(name, token, { ...options, maxAge: maxAgeMs }),
    clear: (response) => void response.clearCookie(name, options),
  };
}
