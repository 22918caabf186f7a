import type { ConnectionStatus } from '@parley/protocol/settings/status';
import { routes } from '@parley/protocol/routes';
import type { Router } from 'express';
import type { ConsoleCookie } from '../auth/console-cookie.ts';
import { KeyUse } from '../auth/key-use.ts';
import type { Bus } from '../bus/bus.ts';
import type { Bookings } from '../calendar/bookings.ts';
import type { Config } from '../config.ts';
import type { Contacts } from '../contact/contacts.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Egress } from '../egress/egress.ts';
import type { EventBus } from '../events/event-bus.ts';
import { endSessionsOf } from '../jobs/sweep-sessions.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { MessageSearch } from '../search/message-search.ts';
import type { Logger } from '../logger.ts';
import { createSessionTokens } from '../session/session-token.ts';
import type { Sessions } from '../session/sessions.ts';
import { notifyWrites } from '../settings/notify-writes.ts';
import type { SettingsCache } from '../settings/settings-cache.ts';
import type { Store } from '../store/store.ts';
import type { ToolRegistry } from '../tool/registry.ts';
import type { WebhookDirectory } from '../webhook/webhook-directory.ts';
import type { WebhookOutbox } from '../webhook/webhook-outbox.ts';
import type { ChatTiming } from './chat/chat-timing.ts';
import { ChatTurns } from './chat/chat-turns.ts';
import { OpenReplies } from './chat/open-replies.ts';
import { chatHandlers } from './chat/chat.ts';
import { calendarFeedUrl, calendarHandlers } from './calendar/calendar-feed.ts';
import { approvalPageHandlers } from './approvals/approval-page.ts';
import { contactHandlers } from './contacts/contacts.ts';
import { conversationHandlers } from './conversations/conversations.ts';
import { usageHandlers } from './conversations/usage.ts';
import { chatConversationHandlers } from './chat/chat-conversation.ts';
import { consoleHandlers } from './console/console.ts';
import { docsHandlers } from './docs/docs.ts';
import { Heartbeat } from './connection/heartbeat.ts';
import { OpenReaders } from './connection/open-readers.ts';
import { OpenStreams } from './connection/open-streams.ts';
import { RequestRate } from './connection/request-rate.ts';
import { fileHandlers } from './files/file.ts';
import { uploadHandlers } from './files/upload.ts';
import { healthHandlers } from './health.ts';
import { homeHandlers } from './home.ts';
import { ConversationStreams } from './inbox/conversation-streams.ts';
import { InboxStreams } from './inbox/inbox-streams.ts';
import { type InboxHandlersDeps, inboxHandlers } from './inbox/inbox.ts';
import type { Lifecycle } from './lifecycle.ts';
import { type ServedMetrics, metricsHandlers } from './metrics.ts';
import type { Cors } from './middleware/cors.ts';
import type { Tracer } from '../trace/span.ts';
import { mount } from './mount.ts';
import { referenceHandlers } from './reference/reference.ts';
import { feedbackHandlers } from './sessions/feedback.ts';
import { agentBearer } from '../sign-in/agent-bearer.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { visitorSignInHandlers } from './sign-in/visitor-sign-in.ts';
import { completeSignInHandlers } from './sign-in/complete-sign-in.ts';
import type { SignInCookie } from './sign-in/sign-in-cookie.ts';
import { SessionStreams } from './sessions/session-streams.ts';
import { readyMailHandlers } from './sessions/ready-mail.ts';
import { sessionHandlers } from './sessions/sessions.ts';
import { transferHandlers } from './sessions/transfers.ts';
import { transcriptHandlers } from './sessions/transcript.ts';
import { visitorSessionHandlers } from './sessions/visitor-sessions.ts';
import { settingsHandlers } from './settings/settings.ts';
import { statusHandlers } from './settings/status.ts';
import { widgetConfigHandlers } from './widget/widget-config.ts';
import { widgetHandlers } from './widget/widget.ts';

export interface RoutesDeps {
  readonly store: Store;
  readonly settings: SettingsCache;
  readonly secrets: Secrets;
  readonly sessions: Sessions;
  readonly messages: MessageSearch;
  readonly webhookDirectory: WebhookDirectory;
  readonly webhookOutbox: WebhookOutbox;
  readonly live: EventBus;
  readonly toolRegistry: ToolRegistry;
  readonly knowledge: Knowledge;
  readonly bookings: Bookings;
  readonly contacts: Contacts;
  readonly mailer: Mailer;
  readonly signIns: SignIns;
  readonly signInCookie: SignInCookie;
  readonly egress: Egress;
  readonly providerKeys: Config['providerKeys'];
  readonly bus: Bus;
  readonly cors: Cors;
  readonly lifecycle: Lifecycle;
  readonly logger: Logger;
  readonly platform: string;
  /** The address under which browsers know this service. */
  readonly publicUrl: string;
  /** Where a stored file is served. */
  readonly fileUrl: (id: string) => string;
  readonly ownOrigins: ReadonlySet<string>;
  /** Where members open the console. */
  readonly consoleOrigin: string;
  readonly adminToken: string;
  readonly invalidArguments: InboxHandlersDeps['invalidArguments'];
  readonly cookie: ConsoleCookie;
  readonly chatTiming: ChatTiming;
  readonly connectionStatus: () => ConnectionStatus;
  readonly metrics: ServedMetrics | null;
  readonly tracer: Tracer | null;
  readonly listUnbuilt: () => readonly { readonly what: string }[];
}

interface Routes {
  readonly router: Router;
  /** Whether somebody waits for the Chat turn of this item, in any process but this one. */
  isRead(sessionId: string, itemId: string, butIn: string): boolean;
  /** Resolves once every Chat reply that was waited for here is over. */
  repliesEnded(): Promise<void>;
  /** Ends every stream that is still open. */
  endStreams(): void;
}

/** Every route of both interfaces, the settings API, the widget and the reference, with what they share. */
export function createRoutes(deps: RoutesDeps): Routes {
  const { store, settings, secrets, sessions, live, cors, bus, logger, platform, fileUrl, chatTiming } = deps;
  const heartbeat = new Heartbeat();
  const readers = new OpenReaders({ store, settings, bus, logger });
  const tokens = createSessionTokens(platform, secrets);
  const streams = new SessionStreams({ store, live, tokens, platform, fileUrl, heartbeat, readers, logger });
  const conversationStreams = new ConversationStreams({
    store,
    stored: store.settings,
    live,
    heartbeat,
    fileUrl,
    logger,
  });
  const inboxStreams = new InboxStreams({ store, stored: store.settings, bus, heartbeat, logger });
  const turns = new ChatTurns({
    bus,
    abandon: (sessionId, itemId, process) => sessions.abandon(sessionId, itemId, process),
    onError: (err) => logger.warn({ err }, 'a turn that nobody reads could not be cancelled'),
    graceMs: chatTiming.graceMs,
  });
  const openStreams = new OpenStreams();
  const keyUse = new KeyUse(store.settings.keys, logger);
  const auth = { settings, secrets, cors, platform, requests: new RequestRate(), keyUse };
  const { webhookOutbox } = deps;
  const session = {
    ...auth,
    store,
    webhookOutbox,
    sessions,
    contacts: deps.contacts,
    tokens,
    streams,
    readers,
    openStreams,
    fileUrl,
  };
  const replies = new OpenReplies();
  const chat = { store, secrets, sessions, live, turns, openStreams, replies, heartbeat, readers, logger };

  const notified = notifyWrites(store.settings, bus);
  const status = () => ({ connections: deps.connectionStatus(), streams: streams.status() });

  const endStreams = (id: string) => {
    streams.endSession(id);
    conversationStreams.endSession(id);
  };

  const handlers = {
    ...sessionHandlers(session),
    ...visitorSessionHandlers(session),
    ...transferHandlers(session),
    ...readyMailHandlers(session),
    ...feedbackHandlers(session),
    ...transcriptHandlers(session),
    ...uploadHandlers({ store, platform }),
    ...fileHandlers({ store }),
    ...chatHandlers({ ...chat, turnMs: chatTiming.turnMs }),
    ...chatConversationHandlers(session),
    ...settingsHandlers({
      store,
      settings: notified,
      secrets,
      previews: settings.previews,
      endSessionsOf: (agentId) => endSessionsOf({ store, sessions, logger }, agentId),
      toolRegistry: deps.toolRegistry,
      knowledge: deps.knowledge,
      cookie: deps.cookie,
      egress: deps.egress,
      mailer: deps.mailer,
      feedUrl: (feed) => calendarFeedUrl(deps.publicUrl, platform, secrets, feed),
      providerKeys: deps.providerKeys,
      cache: settings,
      ownOrigins: deps.ownOrigins,
      consoleOrigin: deps.consoleOrigin,
      live: deps.live,
      bus: deps.bus,
      sessions,
      logger,
      signIns: deps.signIns,
      signInCookie: deps.signInCookie,
      webhookDirectory: deps.webhookDirectory,
      webhookOutbox,
    }),
    ...visitorSignInHandlers({
      stored: store.settings,
      secrets,
      signIns: deps.signIns,
      cookie: deps.signInCookie,
      ownOrigins: deps.ownOrigins,
      consoleOrigin: deps.consoleOrigin,
      limits: store,
    }),
    ...completeSignInHandlers({
      stored: notified,
      secrets,
      signIns: deps.signIns,
      cookie: deps.signInCookie,
      mcp: { fetch: deps.egress.fetch, bearer: agentBearer(deps.signIns) },
      address: { publicUrl: deps.consoleOrigin, platform },
    }),
    ...calendarHandlers({
      connections: store.settings.connections,
      settings,
      secrets,
      bookings: deps.bookings,
    }),
    ...conversationHandlers({
      store,
      sessions,
      messages: deps.messages,
      fileUrl,
      endStreams,
    }),
    ...contactHandlers({
      store,
      contacts: deps.contacts,
      sessions,
      signIns: deps.signIns,
      fileUrl,
      endStreams,
    }),
    ...inboxHandlers({
      store,
      settings,
      sessions,
      streams: conversationStreams,
      lists: inboxStreams,
      bus,
      messages: deps.messages,
      invalidArguments: deps.invalidArguments,
    }),
    ...approvalPageHandlers({ store, settings, secrets, sessions }),
    ...usageHandlers(store),
    ...statusHandlers(status),
    ...metricsHandlers(deps.metrics, status),
    ...widgetConfigHandlers({ settings, store, ownOrigins: deps.ownOrigins, platform }),
    ...widgetHandlers({ settings }),
    ...referenceHandlers({ platform }),
    ...docsHandlers({ platform, publicUrl: deps.publicUrl }),
    ...healthHandlers({ store, lifecycle: deps.lifecycle, listUnbuilt: deps.listUnbuilt }),
    ...homeHandlers(),
    ...consoleHandlers(),
  };

  return {
    router: mount(routes(platform), handlers, {
      ...auth,
      adminToken: deps.adminToken,
      stored: store.settings,
      cookie: deps.cookie,
      ownOrigins: deps.ownOrigins,
      tracer: deps.tracer,
    }),
    isRead: (...reading) => turns.isRead(...reading),
    repliesEnded: () => turns.unread(),
    endStreams() {
      heartbeat.stop();
      readers.close();
      replies.cutAll();
      turns.close();
      streams.endAll();
      conversationStreams.endAll();
      inboxStreams.endAll();
    },
  };
}
