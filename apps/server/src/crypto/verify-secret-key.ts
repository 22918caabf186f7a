import { ConfigError } from '../config.ts';
import type { SettingsStore } from '../store/settings-store.ts';
import type { Secrets } from './secrets.ts';

/**
 * Refuses bases that the store was not written under: every token handed out would be dead and every stored
 * credential encrypted for good. After a rotation the first base is the one that counts, once `reencrypt` has encrypted
 * everything again under it.
 */
export async function verifySecretKey(
  { secretCheck }: Pick<SettingsStore, 'secretCheck'>,
  secrets: Secrets,
  reencrypt: () => Promise<void>,
): Promise<void> {
  const current = secrets.mac('check', 'store');
  for (;;) {
    const kept = await secretCheck.get();
    if (kept !== null && !secrets.verify('check', 'store', kept)) {
      throw new ConfigError(
        'SECRET_KEY_BASE: this database was written under another one. Give that one again, or list it after the ' +
          'new one. Where the variable is not set, the file beside the database whose name ends in ' +
          '.secret-key-base must be the one that was made with it.',
      );
    }
    await reencrypt();
    // A process that starts at the same moment may have been given another base: then this one looks again.
    if (kept === current || (await secretCheck.set(current, kept))) return;
  }
}
