import type { Route } from '@parley/protocol/route';
import type { Request } from 'express';
import { ProblemError } from '../http/problem.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { adminAuthenticator } from './authenticate-admin.ts';
import { mayUse } from './authorize.ts';
import { unauthorized } from './bearer.ts';
import { findSession } from './console-sessions.ts';
import type { ConsoleCookie } from './console-cookie.ts';
import type { MemberPrincipal, SettingsPrincipal } from './principal.ts';
import { rejectForgery } from './reject-forgery.ts';

export interface SettingsAuthDeps {
  readonly adminToken: string;
  readonly stored: SettingsStore;
  readonly cookie: ConsoleCookie;
  readonly ownOrigins: ReadonlySet<string>;
}

type Demands = Pick<Route, 'principal' | 'role' | 'everyTenant'>;

/**
 * The admin token, where it is sent, else the session of the console. Throws 401, 403 for a role that is too low and
 * for what a page of another origin made the browser send.
 */
export function settingsAuthenticator(
  deps: SettingsAuthDeps,
): (route: Demands, request: Request) => Promise<SettingsPrincipal> {
  const authenticateAdmin = adminAuthenticator(deps.adminToken);
  return async ({ principal: wanted, role, everyTenant = false }, request) => {
    const isToken = wanted !== 'member' && sendsToken(request);
    const principal = isToken ? authenticateAdmin(request) : await authenticateMember(deps, wanted, request);
    const isOfRole = wanted === 'settings' || role !== undefined;
    if (isOfRole && !mayUse(principal, { role: role ?? 'owner', everyTenant }))
      throw new ProblemError('FORBIDDEN', 'Your role does not include this. An owner can change it.');
    return principal;
  };
}

/** A proxy in front may ask for credentials of its own (Basic, Digest, Negotiate): browsers repeat them with every request. */
function sendsToken({ headers: { authorization = '' } }: Request): boolean {
  return /^bearer\b/i.test(authorization);
}

async function authenticateMember(
  { stored, cookie, ownOrigins }: SettingsAuthDeps,
  wanted: Route['principal'],
  request: Request,
): Promise<MemberPrincipal> {
  const token = cookie.read(request);
  const member = token === null ? null : await findSession(stored, token);
  if (member === null) throw unauthorized(wanted === 'member' ? 'member' : 'settings');
  if (request.method !== 'GET') rejectForgery(request, ownOrigins);
  return member;
}
