import { endOtherSessions } from '../../auth/console-sessions.ts';
import {
  challengeOf,
  newChallenge,
  registrationOptions,
  type RelyingParty,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from '../../auth/passkeys.ts';
import type { MemberPrincipal } from '../../auth/principal.ts';
import { changeRecord } from '../../settings/audit.ts';
import { newId } from '../../settings/id.ts';
import { memberView } from '../../settings/member.ts';
import { passkeyView } from '../../settings/passkey.ts';
import { conflict, notFound } from '../../settings/settings-error.ts';
import type { AuditRecord } from '../../store/audit-store.ts';
import type { PasskeyRecord } from '../../store/passkey-store.ts';
import type { MemberRecord, SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';
import { ProblemError } from '../problem.ts';
import type { NewSessions } from './new-sessions.ts';
import type { SignInAttempts } from './sign-in-attempts.ts';

const challengeMs = 5 * 60_000;
/** Of one member. */
const maxPasskeys = 20;

type PasskeyRoute =
  | 'startPasskeySignIn'
  | 'signInWithPasskey'
  | 'startPasskey'
  | 'createPasskey'
  | 'listPasskeys'
  | 'updatePasskey'
  | 'deletePasskey';

interface PasskeyDeps {
  readonly stored: SettingsStore;
  readonly attempts: SignInAttempts;
  readonly newSessions: NewSessions;
  /** Null: the console has no name that passkeys could be bound to. */
  readonly relyingParty: RelyingParty | null;
}

/** A member's own passkeys, and signing in with one. */
export function passkeyHandlers({
  stored,
  attempts,
  newSessions,
  relyingParty,
}: PasskeyDeps): Handlers<PasskeyRoute> {
  const { members, passkeys, passkeyChallenges, consoleSessions } = stored;

  /** Throws 409 where passkeys cannot be. */
  function named(): RelyingParty {
    if (relyingParty === null)
      throw conflict(
        'Passkeys need a name instead of an IP address: set PUBLIC_URL, and open the console there.',
      );
    return relyingParty;
  }

  async function memberOf({ id }: MemberPrincipal): Promise<MemberRecord> {
    const member = await members.get(id);
    if (member === null) throw notFound();
    return member;
  }

  async function ownPasskey({ id: memberId }: MemberPrincipal, id: string): Promise<PasskeyRecord> {
    const passkey = await passkeys.get(id);
    if (passkey?.memberId !== memberId) throw notFound();
    return passkey;
  }

  /** The challenge that was signed, used up; null when it is none of these, or too old. */
  async function takeChallenge(clientDataJSON: string, memberId: string | null): Promise<string | null> {
    const challenge = challengeOf(clientDataJSON);
    if (challenge === null || !(await passkeyChallenges.take({ challenge, memberId }))) return null;
    return challenge;
  }

  function changeOf(
    principal: MemberPrincipal,
    before: PasskeyRecord | null,
    after: PasskeyRecord | null,
  ): AuditRecord {
    const { id, name } = (after ?? before)!;
    return changeRecord(principal, {
      tenantId: principal.tenantId,
      action: before === null ? 'created' : after === null ? 'deleted' : 'updated',
      kind: 'passkey',
      subject: { id, name },
      before: before && passkeyView(before),
      after: after && passkeyView(after),
    });
  }

  return {
    async startPasskeySignIn({ request, response }) {
      const party = named();
      await attempts.count(request, null);
      const challenge = newChallenge();
      await passkeyChallenges.save({ challenge, memberId: null }, challengeMs);
      response.json(await signInOptions(party, { challenge, timeout: challengeMs }));
    },

    async signInWithPasskey({ request, response, body: { response: sent } }) {
      const party = named();
      const challenge = await takeChallenge(sent.response.clientDataJSON, null);
      if (challenge === null) throw refused('This took too long. Try again.');
      const where = { credentialId: sent.id };
      const [passkey] = (await passkeys.list({ where, after: null, limit: 1 })).items;
      const counter = passkey ? await verifySignIn(party, challenge, { response: sent, passkey }) : null;
      const member = passkey && counter !== null ? await members.get(passkey.memberId) : null;
      if (passkey === undefined || counter === null || member === null)
        throw refused('This passkey does not sign in here any more. Use your password, or another passkey.');
      const used = { counter, lastUsedAt: new Date().toISOString() };
      if ((await passkeys.update(passkey.id, used)) === null) throw refused('This passkey was removed.');
      await newSessions.begin(request, response, member, passkey.id);
      response.json(memberView(member));
    },

    async startPasskey({ request, response, principal, body: { password } }) {
      const party = named();
      const member = await memberOf(principal);
      await attempts.requirePassword(request, member, password);
      const where = { memberId: member.id };
      const { items } = await passkeys.list({ where, after: null, limit: maxPasskeys });
      if (items.length >= maxPasskeys)
        throw conflict(`There are ${maxPasskeys} passkeys already. Remove one first.`);
      const challenge = newChallenge();
      await passkeyChallenges.save({ challenge, memberId: member.id }, challengeMs);
      const ceremony = { challenge, timeout: challengeMs, passkeys: items };
      response.json(await registrationOptions(party, member, ceremony));
    },

    async createPasskey({ response, principal, body: { name, response: sent } }) {
      const party = named();
      const challenge = await takeChallenge(sent.response.clientDataJSON, principal.id);
      if (challenge === null) throw conflict('This took too long. Begin again.');
      const made = await verifyRegistration(party, challenge, sent);
      if (made === null)
        throw notValid([{ path: ['response'], message: 'This is no passkey that was made for here.' }]);
      const where = { credentialId: made.credentialId };
      if ((await passkeys.list({ where, after: null, limit: 1 })).items.length > 0)
        throw conflict('This passkey was added already.');
      const createdAt = new Date().toISOString();
      const of = { id: newId('passkey'), memberId: principal.id, name, lastUsedAt: null, createdAt };
      const record = { ...of, ...made };
      await passkeys.insert(record, changeOf(principal, null, record));
      // Whoever has ended the session meanwhile may have removed all passkeys that there were.
      if ((await consoleSessions.get(principal.sessionId)) === null) {
        await passkeys.remove(record.id, changeOf(principal, record, null));
        throw refused('Your session has ended meanwhile. Sign in, and add the passkey again.');
      }
      response.status(201).json(passkeyView(record));
    },

    async listPasskeys({ response, principal, query: { cursor = null, limit } }) {
      const where = { memberId: principal.id };
      const { items, next } = await passkeys.list({ where, after: cursor, limit });
      response.json({ items: items.map(passkeyView), next });
    },

    async updatePasskey({ response, principal, id, body: { name } }) {
      const before = await ownPasskey(principal, id);
      const change = changeOf(principal, before, { ...before, name });
      const after = await passkeys.update(id, { name }, change);
      if (after === null) throw notFound();
      response.json(passkeyView(after));
    },

    async deletePasskey({ response, principal, id }) {
      const before = await ownPasskey(principal, id);
      await passkeys.remove(id, changeOf(principal, before, null));
      // What somebody began with it who has found it.
      await endOtherSessions(stored, principal);
      response.status(204).end();
    },
  };
}

const refused = (message: string) => new ProblemError('UNAUTHORIZED', message);
