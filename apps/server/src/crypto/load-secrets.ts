import type { Config } from '../config.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { loadOrCreateSecret } from './load-or-create-secret.ts';
import { type Secrets, createSecrets } from './secrets.ts';
import { verifySecretKey } from './verify-secret-key.ts';

/** The secrets under the configured bases, or under the one in the file beside the database. Throws as `verifySecretKey`. */
export async function loadSecrets(
  { secretKeyBase, databaseFile }: Pick<Config, 'secretKeyBase' | 'databaseFile'>,
  settings: Pick<SettingsStore, 'secretCheck'>,
  reencrypt: (secrets: Secrets) => Promise<void>,
): Promise<Secrets> {
  const secrets = createSecrets(
    secretKeyBase ?? [loadOrCreateSecret(`${databaseFile}.secret-key-base`).value],
  );
  await verifySecretKey(settings, secrets, () => reencrypt(secrets));
  return secrets;
}
