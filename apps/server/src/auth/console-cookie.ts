import type { Request, Response } from 'express';

/** A cookie that holds 32 bytes: unreadable to scripts, and of this origin alone. */
export interface Cookie {
  read(request: Request): string | null;
  set(response: Response, token: string, maxAgeMs: number): void;
  clear(response: Response): void;
}

/** The cookie of a session of the console. */
export interface ConsoleCookie extends Cookie {
  /** Tells the browsers in which somebody has signed in before; it lets nobody in. */
  readonly known: Cookie;
}

export function createConsoleCookie(https: boolean): ConsoleCookie {
  return { ...createCookie('parley-console', https), known: createCookie('parley-known', https) };
}

/** `lax`: it comes along as well where another site has sent the browser here. */
export function createCookie(
  plainName: string,
  https: boolean,
  sameSite: 'strict' | 'lax' = 'strict',
): Cookie {
  // No other host can set a cookie of this prefix, and no page without https.
  const name = https ? `__Host-${plainName}` : plainName;
  const options = { path: '/', httpOnly: true, sameSite, secure: https } as const;
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
