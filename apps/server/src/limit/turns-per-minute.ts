import { defaultTurnsPerMinute } from '@parley/protocol/settings/key';
import type { KeyRecord } from '../store/settings-store.ts';

/** How many Chat turns of a key may begin in any 60 s. */
export function turnsPerMinute(key: Pick<KeyRecord, 'turnsPerMinute'>): number {
  return key.turnsPerMinute ?? defaultTurnsPerMinute;
}
