import type { Logger } from '../logger.ts';
import type { KeyRecord, SettingsStore } from '../store/settings-store.ts';

/** How exactly the last use of a key is known: each note of it is a write. */
const noteMs = 3_600_000;
/** Keys whose last note is remembered here; the one noted first makes room, and may be noted again. */
const maxKeys = 10_000;

/** Notes that keys are used, so that whoever wants to revoke one sees whether anybody would miss it. */
export class KeyUse {
  readonly #keys: Pick<SettingsStore['keys'], 'update'>;
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #noted = new Map<string, number>();

  /** Given the store itself: a note is no change of the settings that other processes would have to hear of. */
  constructor(keys: Pick<SettingsStore['keys'], 'update'>, logger: Pick<Logger, 'warn'>) {
    this.#keys = keys;
    this.#logger = logger;
  }

  /** Returns at once: a request does not wait for it, and does not fail with it. */
  note({ id, digest, lastUsedAt }: KeyRecord, now: number): void {
    // A key that was made anew is another one.
    const name = `${id} ${digest}`;
    const known = Math.max(this.#noted.get(name) ?? 0, lastUsedAt === null ? 0 : Date.parse(lastUsedAt));
    if (now - known < noteMs) return;
    if (this.#noted.size >= maxKeys) {
      const [oldest] = this.#noted.keys();
      if (oldest !== undefined) this.#noted.delete(oldest);
    }
    this.#noted.set(name, now);
    this.#keys
      .update(id, { lastUsedAt: new Date(now).toISOString() })
      .catch((err: unknown) => this.#logger.warn({ err }, 'the use of a key could not be noted'));
  }
}
