import type { Logger } from 'pino';
import type { Egress } from '../egress/egress.ts';
import { calendarSource } from './calendar/calendar-source.ts';
import type { Bookings } from './calendar/calendar-tools.ts';
import { clientSource } from './client/client-source.ts';
import { contactSource } from './contact/contact-source.ts';
import type { KnownContacts } from './contact/contact-tools.ts';
import { httpSource } from './http/http-source.ts';
import { type Knowledge, knowledgeSource } from './knowledge/knowledge-source.ts';
import { type MailSender, mailSource } from './mail/mail-source.ts';
import type { McpConnectionDeps } from './mcp/mcp-connection.ts';
import { mcpSource } from './mcp/mcp-source.ts';
import { questionSource } from './question/question-source.ts';
import { teamSource } from './team/team-source.ts';
import { ToolRegistry } from './registry.ts';
import type { AnyToolSource } from './source.ts';

export interface ToolSourceDeps {
  /** The only way out of the process. */
  readonly egress: Pick<Egress, 'request' | 'fetch'>;
  readonly platform: string;
  readonly knowledge: Knowledge;
  readonly connections: Pick<McpConnectionDeps, 'count' | 'report' | 'bearer' | 'signIns'>;
  readonly bookings: Bookings;
  readonly contacts: KnownContacts;
  readonly mailer: MailSender;
}

/** Every kind of tool there is. Of several tools with one name the first counts. */
export function toolSources(deps: ToolSourceDeps): readonly AnyToolSource[] {
  return [
    httpSource(deps),
    calendarSource({ bookings: deps.bookings, sender: deps.mailer, count: deps.connections.count }),
    mailSource(deps.mailer, deps.connections.count),
    mcpSource({ ...deps.connections, fetch: deps.egress.fetch }),
    knowledgeSource(deps.knowledge),
    contactSource(deps.contacts),
    teamSource,
    clientSource,
    questionSource,
  ];
}

export function createToolRegistry(deps: ToolSourceDeps, logger: Logger): ToolRegistry {
  return new ToolRegistry(toolSources(deps), logger);
}
