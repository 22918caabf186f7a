import type { PasskeyView } from '@parley/protocol/settings/passkey';
import type { PasskeyRecord } from '../store/passkey-store.ts';

export const passkeyView = ({ id, createdAt, name, lastUsedAt }: PasskeyRecord): PasskeyView => ({
  id,
  createdAt,
  name,
  lastUsedAt,
});
