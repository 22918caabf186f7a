import type { ServiceStatus } from '@parley/protocol/settings/status';
import type { Router } from 'express';
import type { Config } from './config.ts';
import type { Egress } from './egress/egress.ts';
import type { equip } from './equipment.ts';
import type { ChatTiming } from './http/chat-timing.ts';
import { ChatTurns } from './http/chat-turns.ts';
import { chatRoutes } from './http/chat.ts';
import type { Cors } from './http/cors.ts';
import { fileRoutes, fileUrl } from './http/file.ts';
import { feedbackRoutes } from './http/feedback.ts';
import { Heartbeat } from './http/heartbeat.ts';
import { OpenStreams } from './http/open-streams.ts';
import { ownSessionRoutes } from './http/own-sessions.ts';
import { OpenReaders } from './http/open-readers.ts';
import { RequestRate } from './http/request-rate.ts';
import { sessionRoutes } from './http/sessions.ts';
import { SessionStreams } from './http/stream.ts';
import { transcriptRoutes } from './http/transcript.ts';
import { uploadRoutes } from './http/upload.ts';
import type { Logger } from './log.ts';
import type { Secrets } from './secret/secrets.ts';
import { LiveLog } from './session/live-log.ts';
import { endIdleSessions, endSessionsOf, eraseEndedSessions } from './session/retention.ts';
import { createSessionTokens } from './session/session-token.ts';
import { Sessions } from './session/sessions.ts';
import { allRecords } from './settings/all-records.ts';
import type { SettingsChanges } from './settings/changes.ts';
import { agentOf } from './settings/agent.ts';
import { UnreadableRecordError } from './settings/unreadable-record-error.ts';
import type { Store } from './store/store.ts';
import { Runner } from './turn/runner.ts';

const drainMs = 25_000;
const retentionSweepMs = 3_600_000;
const fileSweepMs = 300_000;

export interface ConversationParts {
  readonly config: Config;
  readonly store: Store;
  readonly secrets: Secrets;
  readonly egress: Egress;
  readonly equip: typeof equip;
  readonly chatTiming: ChatTiming;
  readonly cors: Cors;
  readonly changes: SettingsChanges;
  readonly logger: Logger;
  readonly publicUrl: string;
}

export interface Conversations {
  readonly routers: readonly Router[];
  /** Takes over what an earlier process left behind. */
  start(): Promise<void>;
  streamStatus(): ServiceStatus['streams'];
  /** Lets running turns finish, 25 s at most, and ends every stream. */
  drain(): Promise<void>;
}

/** Wires both interfaces to the log and to the runner that works on it. */
export function createConversations(parts: ConversationParts): Conversations {
  const { config, store, secrets, egress, equip, chatTiming, cors, changes, logger, publicUrl } = parts;
  const { platform, providerKeys } = config;
  const live = new LiveLog();
  const heartbeat = new Heartbeat();
  const readers = new OpenReaders(store);
  const tokens = createSessionTokens(platform, secrets);
  const runner = new Runner({
    store,
    logger,
    equip: (session) => equip({ store, secrets, egress, providerKeys, platform, publicUrl }, session),
    publish: (sessionId, events) => live.publish(sessionId, events),
  });
  const sessions = new Sessions({ store, runner, live, fileUrl: (id) => fileUrl(publicUrl, platform, id) });
  const streams = new SessionStreams({ store, live, tokens, platform, heartbeat, readers, logger });
  const turns = new ChatTurns({
    cancel: (sessionId, itemId) => sessions.cancel(sessionId, { itemId }),
    graceMs: chatTiming.graceMs,
  });
  const caller = { store, secrets, cors, platform, requests: new RequestRate() };
  const openStreams = new OpenStreams();
  const routes = { ...caller, sessions, tokens, streams, readers, openStreams };

  const ending = {
    store,
    sessions,
    onFailure: (err: unknown) => logger.error({ err }, 'a session could not be ended'),
  };

  changes.subscribe(async (change) => {
    if (change.type === 'key-revoked') readers.endKey(change.keyId);
    if (change.type === 'agent-removed') await endSessionsOf(ending, change.agentId);
  });

  let retention: NodeJS.Timeout | null = null;
  let fileSweep: NodeJS.Timeout | null = null;
  async function sweepIdle(): Promise<void> {
    for await (const record of allRecords(store.settings.agents)) {
      try {
        const { retentionDays } = agentOf(record, secrets).settings;
        const agent = { id: record.id, retentionDays };
        await endIdleSessions(ending, agent, Date.now());
        await eraseEndedSessions(store, agent, Date.now());
      } catch (error) {
        if (!(error instanceof UnreadableRecordError)) throw error;
        logger.error({ err: error }, 'the sessions of this agent were left as they are');
      }
    }
    await eraseEndedSessions(store, { id: null, retentionDays: 30 }, Date.now());
  }

  function sweepFiles(): void {
    store.files
      .expire(Date.now())
      .catch((error: unknown) => logger.warn({ err: error }, 'unused files could not be removed'));
  }

  return {
    routers: [
      // Before the routes of a session, whose id `file` could be.
      uploadRoutes(caller),
      sessionRoutes(routes),
      ownSessionRoutes(routes),
      feedbackRoutes(routes),
      transcriptRoutes(routes),
      chatRoutes({
        ...caller,
        sessions,
        live,
        turns,
        openStreams,
        heartbeat,
        readers,
        logger,
        turnMs: chatTiming.turnMs,
      }),
      fileRoutes({ store, platform }),
    ],
    async start() {
      await store.expireAll();
      await runner.start();
      let sweeping = false;
      retention = setInterval(() => {
        if (sweeping) return;
        sweeping = true;
        sweepIdle()
          .catch((error: unknown) => logger.warn({ err: error }, 'idle sessions could not be ended'))
          .finally(() => (sweeping = false));
      }, retentionSweepMs);
      sweepFiles();
      fileSweep = setInterval(sweepFiles, fileSweepMs);
    },
    streamStatus: () => streams.status(),
    async drain() {
      if (retention) clearInterval(retention);
      if (fileSweep) clearInterval(fileSweep);
      await runner.drain(drainMs);
      heartbeat.stop();
      streams.endAll();
    },
  };
}
