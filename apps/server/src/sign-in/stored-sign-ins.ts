import { createHash } from 'node:crypto';
import type { Secrets } from '../crypto/secrets.ts';
import type { SettingsStore, SignInRecord } from '../store/settings-store.ts';
import { SignInError } from './sign-in-error.ts';
import { type SignInSecrets, signInSecretsSchema } from './sign-in-secrets.ts';

/** How often a write that another one has overtaken is made again of what is stored then. */
const maxAttempts = 8;

/** Of which connection, and for whom: a verified visitor, a session of one who is not, or else the agent. */
export interface Holder {
  readonly tenantId: string;
  readonly agentId: string;
  readonly connectionId: string;
  readonly visitor: string | null;
  readonly sessionId: string | null;
}

type Status = 'signed-in' | 'signed-out' | 'declined' | 'failed';

/** A sign-in as it is stored, its secrets opened. */
export interface StoredSignIn {
  readonly record: SignInRecord;
  readonly secrets: SignInSecrets;
}

interface Changes {
  readonly status?: Status;
  readonly problem?: string | null;
  readonly refreshingUntil?: null;
  readonly secrets?: SignInSecrets;
}

/** The context that the secrets of a sign-in are encrypted under. */
export const signInContext = (id: string): string => `secrets of ${id}`;

export function signInId({ connectionId, visitor, sessionId }: Omit<Holder, 'tenantId' | 'agentId'>): string {
  const whose = JSON.stringify([connectionId, visitor, sessionId]);
  return `sign_in_${createHash('sha256').update(whose).digest('hex').slice(0, 40)}`;
}

/** Sign-ins at rest: each is written only over what it was made of, by whatever process. */
export class StoredSignIns {
  readonly #records: SettingsStore['signIns'];
  readonly #secrets: Secrets;

  constructor(records: SettingsStore['signIns'], secrets: Secrets) {
    this.#records = records;
    this.#secrets = secrets;
  }

  async get(id: string): Promise<StoredSignIn | null> {
    const record = await this.#records.get(id);
    return record && { record, secrets: this.#open(record) };
  }

  /** That of the holder, made where there is none. */
  async of(holder: Holder, url: string): Promise<StoredSignIn> {
    const id = signInId(holder);
    const known = await this.get(id);
    if (known) return known;
    const { tenantId, agentId, connectionId, visitor, sessionId } = holder;
    const secrets: SignInSecrets = { url, client: null, attempt: null, grant: null };
    const record: SignInRecord = {
      id,
      tenantId,
      agentId,
      connectionId,
      visitor,
      sessionId,
      status: 'signed-out',
      problem: null,
      secrets: this.#encrypt(id, secrets),
      version: 0,
      refreshingUntil: null,
      createdAt: new Date().toISOString(),
    };
    try {
      await this.#records.insert(record);
    } catch (error) {
      const other = await this.get(id);
      if (other === null) throw error;
      return other;
    }
    return { record, secrets };
  }

  /** Null where another write came between. */
  async change(stored: StoredSignIn, changes: Changes): Promise<StoredSignIn | null> {
    const { id, version } = stored.record;
    const { secrets = stored.secrets, ...fields } = changes;
    const record = await this.#records.update(
      id,
      { ...fields, secrets: this.#encrypt(id, secrets), version: version + 1 },
      undefined,
      { version },
    );
    return record && { record, secrets };
  }

  /** Lets one process renew the grant within `leaseMs`; null: another one does, or has written to it. */
  async claimRefresh({ record, secrets }: StoredSignIn, leaseMs: number): Promise<StoredSignIn | null> {
    const claimed = await this.#records.claimRefresh(record.id, record.version, leaseMs);
    return claimed && { record: claimed, secrets };
  }

  /** `changesOf` is asked again of what another write has left; null: nothing is to be changed any more. */
  async update(
    id: string,
    changesOf: (stored: StoredSignIn) => Changes | null,
  ): Promise<StoredSignIn | null> {
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const stored = await this.get(id);
      const changes = stored && changesOf(stored);
      if (!changes) return null;
      const changed = await this.change(stored, changes);
      if (changed) return changed;
    }
    throw new SignInError('failed', 'Others sign in at the same moment. Try again.');
  }

  remove(id: string): Promise<boolean> {
    return this.#records.remove(id);
  }

  #encrypt(id: string, secrets: SignInSecrets): string {
    return this.#secrets.encrypt(JSON.stringify(secrets), signInContext(id));
  }

  #open({ id, secrets }: SignInRecord): SignInSecrets {
    const empty: SignInSecrets = { url: '', client: null, attempt: null, grant: null };
    if (secrets === null) return empty;
    try {
      return signInSecretsSchema.parse(JSON.parse(this.#secrets.decrypt(secrets, signInContext(id))));
    } catch {
      // What nobody can read is a sign-in that has ended.
      return empty;
    }
  }
}
