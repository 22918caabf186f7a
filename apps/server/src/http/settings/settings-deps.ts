import type { AdminGuard } from '../admin.ts';
import type { Secrets } from '../../secret/secrets.ts';
import type { SettingsChanges } from '../../settings/changes.ts';
import type { Store } from '../../store/store.ts';

export interface SettingsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly changes: SettingsChanges;
  readonly platform: string;
  /** Lets administrators pass. */
  readonly admin: AdminGuard;
}
