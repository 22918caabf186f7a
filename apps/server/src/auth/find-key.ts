import type { SettingsCache } from '../settings/settings-cache.ts';
import type { KeyRecord } from '../store/settings-store.ts';
import { isKey, keyDigest } from './create-key.ts';
import { isPreviewKey } from './preview-keys.ts';

/** The key's record, or null; what cannot be a key never reaches the store. */
export async function findKey(settings: SettingsCache, presented: string): Promise<KeyRecord | null> {
  if (isPreviewKey(presented)) return settings.previewKey(presented);
  return isKey(presented) ? await settings.keyByDigest(keyDigest(presented)) : null;
}
