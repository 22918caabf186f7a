import type { Secrets } from '../crypto/secrets.ts';
import type { Logger } from '../logger.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Store } from '../store/store.ts';
import { sweepSessions } from './sweep-sessions.ts';

const retentionSweepMs = 3_600_000;
const fileSweepMs = 300_000;

interface JobsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly logger: Logger;
}

/** What is done without being asked: sessions and files go when their time has come. Returns the function that stops it. */
export function startJobs({ store, secrets, sessions, logger }: JobsDeps): () => void {
  let sweeping = false;
  const retention = setInterval(() => {
    if (sweeping) return;
    sweeping = true;
    sweepSessions({ store, sessions, secrets, logger })
      .catch((error: unknown) => logger.warn({ err: error }, 'idle sessions could not be ended'))
      .finally(() => (sweeping = false));
  }, retentionSweepMs);

  const removeUnusedFiles = () => {
    store.files
      .expire()
      .catch((error: unknown) => logger.warn({ err: error }, 'unused files could not be removed'));
  };
  removeUnusedFiles();
  const fileSweep = setInterval(removeUnusedFiles, fileSweepMs);

  return () => {
    clearInterval(retention);
    clearInterval(fileSweep);
  };
}
