import type { Secrets } from '../crypto/secrets.ts';
import type { Bus } from '../bus/bus.ts';
import type { Contacts } from '../contact/contacts.ts';
import { eraseUnseenContacts } from '../contact/erase-unseen-contacts.ts';
import { finishErasures } from '../contact/requested-erasures.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Logger } from '../logger.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Store } from '../store/store.ts';
import { handBackAbandoned } from '../session/hand-back-abandoned.ts';
import { unassignFormerMembers } from '../session/unassign-former-members.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { eraseDeliveries, eraseOfRemovedWebhooks } from '../webhook/erase-deliveries.ts';
import { expireDeliveries } from '../webhook/expire-deliveries.ts';
import { sweepSessions } from './sweep-sessions.ts';

const retentionSweepMs = 3_600_000;
/** The first one, within as long again, so that processes that start together do not sweep together. */
const firstSweepMs = 60_000;
const erasureMs = 60_000;
const handBackMs = 3_600_000;
const fileSweepMs = 300_000;
const websiteSweepMs = 300_000;
const messagesMs = 2_000;

interface JobsDeps {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly signIns: Pick<SignIns, 'forget' | 'forgetVisitor'>;
  readonly contacts: Pick<Contacts, 'erase'>;
  readonly messages: Pick<MessageSearch, 'work'>;
  readonly knowledge: Pick<Knowledge, 'readDue' | 'embedDue'>;
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>;
  readonly logger: Logger;
}

/** What is done without being asked: sessions and files go when their time has come, websites are read, and what is said becomes findable. Returns the function that stops it. */
export function startJobs({
  store,
  secrets,
  sessions,
  signIns,
  contacts,
  messages,
  knowledge,
  bus,
  logger,
}: JobsDeps): () => void {
  let sweeping = false;
  const sweep = () => {
    if (sweeping) return;
    sweeping = true;
    sweepSessions({ store, sessions, secrets, bus, logger })
      .then(() => signIns.forget())
      .then(() => store.removeExpiredReadyMails())
      .catch((error: unknown) => logger.warn({ err: error }, 'idle sessions could not be ended'))
      // Of those whose removal was interrupted, which no list has any more.
      .then(() => store.finishRemovals(Infinity))
      .catch((error: unknown) => logger.warn({ err: error }, 'removed sessions could not be erased'))
      .then(() => expireDeliveries(store))
      .then(() => eraseOfRemovedWebhooks(store))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'old deliveries to webhooks could not be removed'),
      )
      .then(() =>
        eraseUnseenContacts({
          store,
          removeSession: (...asked) => sessions.remove(...asked),
          signIns,
          contacts,
          logger,
        }),
      )
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'contacts that nobody has seen could not be erased'),
      )
      .finally(() => (sweeping = false));
  };
  const firstSweep = setTimeout(sweep, firstSweepMs * (1 + Math.random()));
  const retention = setInterval(sweep, retentionSweepMs);

  const handBack = () => {
    handBackAbandoned({ store, sessions, logger })
      .then(() => unassignFormerMembers({ store, bus }))
      .catch((error: unknown) => logger.warn({ err: error }, 'conversations could not be handed back'));
  };
  handBack();
  const handBacks = setInterval(handBack, handBackMs);

  let finishing = false;
  const finishRequested = () => {
    if (finishing) return;
    finishing = true;
    finishErasures({ store, removeSession: (id) => sessions.remove(id), signIns, contacts, logger })
      .catch((error: unknown) => logger.warn({ err: error }, 'erasures could not be gone on with'))
      .finally(() => (finishing = false));
  };
  finishRequested();
  const erasures = setInterval(finishRequested, erasureMs);

  const removeUnusedFiles = () => {
    store.files
      .expire()
      .catch((error: unknown) => logger.warn({ err: error }, 'unused files could not be removed'));
  };
  removeUnusedFiles();
  const fileSweep = setInterval(removeUnusedFiles, fileSweepMs);

  const findable = setInterval(() => {
    messages
      .work()
      .catch((error: unknown) => logger.warn({ err: error }, 'messages could not be made findable'));
  }, messagesMs);

  const readWebsites = () => {
    knowledge.readDue().catch((error: unknown) => logger.warn({ err: error }, 'websites could not be read'));
  };
  const makeVectors = (agent?: { readonly id: string; readonly tenantId: string }) => {
    knowledge
      .embedDue(agent)
      .catch((error: unknown) => logger.warn({ err: error }, 'vectors of passages could not be made'));
  };
  readWebsites();
  makeVectors();
  const websites = setInterval(() => {
    readWebsites();
    makeVectors();
  }, websiteSweepMs);
  const eraseIfRemoved = async (webhookId: string) => {
    if ((await store.settings.webhooks.get(webhookId)) === null) await eraseDeliveries(store, webhookId);
  };
  const unsubscribe = bus.subscribe('settingsChanged', ({ kind, id, tenantId }) => {
    if (kind === 'webhook')
      eraseIfRemoved(id).catch((error: unknown) =>
        logger.warn({ err: error }, 'what a deleted webhook was told could not be removed yet'),
      );
    if (kind === 'source') readWebsites();
    // As it is also told of when a source of it has been read.
    if (kind === 'agent' && tenantId !== null) makeVectors({ id, tenantId });
  });

  return () => {
    unsubscribe();
    clearInterval(websites);
    clearInterval(handBacks);
    clearInterval(erasures);
    clearTimeout(firstSweep);
    clearInterval(retention);
    clearInterval(fileSweep);
    clearInterval(findable);
  };
}
