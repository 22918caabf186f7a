import { randomUUID } from 'node:crypto';
import { consoleHeader } from '@parley/protocol/paths';
import type { MemberRole } from '@parley/protocol/settings/member';
import { type Answer, request } from './test-service.ts';

/** A service that members sign in to. */
interface Host {
  readonly url: string;
  settings(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Somebody whose browser is signed in to the console, at whatever address the service has by now. */
export interface SignedInMember {
  readonly id: string;
  readonly name: string;
  readonly headers: Record<string, string>;
  call(host: Pick<Host, 'url'>, method: string, path: string, body?: unknown): Promise<Answer>;
}

let addresses = 0;

export async function signedInMember(
  service: Host,
  as: { readonly role: MemberRole; readonly tenantId: string | null; readonly name?: string },
): Promise<SignedInMember> {
  const { role, tenantId, name = randomUUID() } = as;
  const invitation = await service.settings('POST', '/invitations', { role, tenantId });
  const own = { [consoleHeader]: '1', 'x-forwarded-for': `198.51.100.${++addresses}` };
  const accepted = await request(`${service.url}/api/v1/settings/invitations/accept`, {
    method: 'POST',
    headers: { ...own, 'content-type': 'application/json' },
    body: JSON.stringify({ token: invitation.body.token, name, password: 'correct horse battery' }),
  });
  if (accepted.status !== 201) throw new Error(`${accepted.status} ${JSON.stringify(accepted.body)}`);
  const [cookie = ''] = accepted.headers.getSetCookie();
  const headers = { ...own, cookie: cookie.split(';')[0] ?? '' };
  return {
    id: String(accepted.body.id),
    name,
    headers,
    call: ({ url }, method, path, body) =>
      request(`${url}/api/v1/settings${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}
