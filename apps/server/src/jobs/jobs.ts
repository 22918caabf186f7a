import type { Secrets } from '../crypto/secrets.ts';
import type { Bus } from '../bus/bus.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Logger } from '../logger.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Store } from '../store/store.ts';
import { sweepSessions } from './sweep-sessions.ts';

const retentionSweepMs = 3_600_000;
const fileSweepMs = 300_000;
const websiteSweepMs = 300_000;

interface JobsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly knowledge: Pick<Knowledge, 'readDue'>;
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly logger: Logger;
}

/** What is done without being asked: sessions and files go when their time has come, and websites are read. Returns the function that stops it. */
export function startJobs({ store, secrets, sessions, knowledge, bus, logger }: JobsDeps): () => void {
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

  const readWebsites = () => {
    knowledge.readDue().catch((error: unknown) => logger.warn({ err: error }, 'websites could not be read'));
  };
  readWebsites();
  const websites = setInterval(readWebsites, websiteSweepMs);
  const unsubscribe = bus.subscribe('settingsChanged', ({ kind }) => {
    if (kind === 'source') readWebsites();
  });

  return () => {
    unsubscribe();
    clearInterval(websites);
    clearInterval(retention);
    clearInterval(fileSweep);
  };
}
