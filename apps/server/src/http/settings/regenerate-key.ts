import { keyView, newMaterial } from '../../settings/key.ts';
import type { Resource } from '../../settings/resource.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** Replaces a key; the old one is refused from the next request on. */
export function regenerateKeyHandlers(
  keys: Pick<Resource<KeyRecord, never, never, object>, 'find' | 'change'>,
): Handlers<'regenerateKey'> {
  return {
    async regenerateKey({ response, principal, id }) {
      const { kind } = await keys.find(principal, id);
      const { material, key } = newMaterial(kind);
      const record = await keys.change(principal, id, async () => material);
      response.json(keyView(record, key));
    },
  };
}
