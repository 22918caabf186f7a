import { consoleHeader } from '@parley/protocol/paths';
import { expect } from 'vitest';
import type { Answer, TestService } from './test-service.ts';

export const consolePassword = 'correct horse battery';

/** Calls the settings API as the console does, with cookies of its own. */
export type ConsoleBrowser = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

export function consoleBrowser(
  service: Pick<TestService, 'call'>,
  headers: Record<string, string> = {},
): ConsoleBrowser {
  const cookies = new Map<string, string>();
  return async (method, path, body, more = {}) => {
    const answer = await service.call(`/api/v1/settings${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'content-type': 'application/json',
        [consoleHeader]: '1',
        ...headers,
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

/** The browser of somebody who has just become a member. */
export async function joined(
  service: Pick<TestService, 'call'>,
  token: string,
  name: string,
): Promise<ConsoleBrowser> {
  const browser = consoleBrowser(service);
  const answer = await browser('POST', '/invitations/accept', { token, name, password: consolePassword });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return browser;
}

/** The browser of a member who was invited by the holder of the admin token. */
export async function invited(
  service: TestService,
  { name, role, tenantId = null }: { name: string; role: string; tenantId?: string | null },
): Promise<ConsoleBrowser> {
  const { token } = (await service.settings('POST', '/invitations', { role, tenantId })).body;
  return joined(service, token, name);
}
