import { type Config, ConfigError } from '../config.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import { loadOrCreateSecret } from './load-or-create-secret.ts';
import { readSecret } from './read-secret.ts';
import { type Secrets, createSecrets } from './secrets.ts';
import { verifySecretKey } from './verify-secret-key.ts';

/** The secrets under the configured bases, or under the one in the file beside the database. Throws as `verifySecretKey`. */
export async function loadSecrets(
  { secretKeyBase, databaseFile }: Pick<Config, 'secretKeyBase' | 'databaseFile'>,
  settings: Pick<SettingsStore, 'secretCheck'>,
  reencrypt: (secrets: Secrets) => Promise<void>,
): Promise<Secrets> {
  const file = `${databaseFile}.secret-key-base`;
  // A new one beside a database that was written under another would hide that the old one is gone.
  if (secretKeyBase === undefined && readSecret(file) === null && (await settings.secretCheck.get()) !== null)
    throw new ConfigError(
      `${file} is not there, and this database was written under the secret in it. Put it back, or set SECRET_KEY_BASE to it.`,
    );
  const secrets = createSecrets(secretKeyBase ?? [loadOrCreateSecret(file).value]);
  await verifySecretKey(settings, secrets, () => reencrypt(secrets));
  return secrets;
}
