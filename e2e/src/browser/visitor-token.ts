import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';

export const identitySecret = 'a secret that only Fernhill and the service know';

/** What the tenant's server hands to a visitor who is signed in there. */
export function sign(visitor: string, agentId: string, secret = identitySecret): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 600;
  const content = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ sub: visitor, aud: agentId, exp })}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

/** The page tells its widget who the visitor is. */
export const identify = (page: Page, token: string) =>
  page.evaluate((given) => globalThis.parley('identify', () => given), token);
