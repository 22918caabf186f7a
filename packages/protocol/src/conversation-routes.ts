import { sessionEventSchema } from './event.ts';
import { settingsPath } from './paths.ts';
import { jsonResponse, named, type Route } from './route.ts';
import { transcriptSchema } from './session-responses.ts';
import {
  conversationListQuery,
  conversationTranscriptQuery,
  conversationViewSchema,
  eventPageQuery,
  loggedEventSchema,
  turnViewSchema,
} from './settings/conversation.ts';
import { pageQuery } from './settings/page.ts';
import { usageQuery, usageViewSchema } from './settings/usage.ts';
import { listView } from './settings/view.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer', method: 'get' } as const;
const path = `${settingsPath}/conversations`;
const problems = ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;

/** What visitors and agents have said to each other, for those who answer for the agents. */
export const conversationRoutes = [
  {
    ...reads,
    name: 'listConversations',
    path,
    summary:
      'List conversations of a tenant or an agent, the last turn first. A page may have fewer items than there are, or none: `next` is null at the end alone',
    query: conversationListQuery,
    responses: [jsonResponse(200, 'One page.', named('ConversationList', listView(conversationViewSchema)))],
    problems,
  },
  {
    ...reads,
    name: 'readConversation',
    path: `${path}/:id`,
    summary: 'Read a conversation, without what was said',
    responses: [jsonResponse(200, 'As it stands.', named('Conversation', conversationViewSchema))],
    problems,
  },
  {
    ...reads,
    name: 'listConversationEvents',
    path: `${path}/:id/events`,
    summary:
      'List the events of a conversation, oldest first, as a secret key sees them and with what the team tells the agent',
    query: eventPageQuery,
    responses: [jsonResponse(200, 'One page.', named('ConversationEventList', listView(loggedEventSchema)))],
    problems,
  },
  {
    ...reads,
    name: 'listConversationTurns',
    path: `${path}/:id/turns`,
    summary: 'List the turns of a conversation with what they took, oldest first',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('ConversationTurnList', listView(turnViewSchema)))],
    problems,
  },
  {
    ...reads,
    name: 'readConversationTranscript',
    path: `${path}/:id/transcript`,
    summary: 'Export a conversation',
    query: conversationTranscriptQuery,
    responses: [
      {
        status: 200,
        description: 'The whole of it, as a file.',
        content: {
          'text/plain': 'text',
          'application/json': named('SessionTranscript', transcriptSchema),
          'application/x-ndjson': named('SessionEvent', sessionEventSchema),
        },
      },
    ],
    problems,
  },
  {
    tag: 'Settings',
    principal: 'settings',
    role: 'admin',
    name: 'deleteConversation',
    method: 'delete',
    path: `${path}/:id`,
    summary: 'End a conversation and erase all there is of it',
    responses: [{ status: 204, description: 'Gone.' }],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...reads,
    name: 'readUsage',
    path: `${settingsPath}/usage`,
    summary: 'Add up what a tenant’s agents, or one, have done and used by day',
    query: usageQuery,
    responses: [
      {
        status: 200,
        description: 'By day and agent.',
        content: { 'application/json': named('Usage', usageViewSchema), 'text/csv': 'text' },
      },
    ],
    problems,
  },
] as const satisfies readonly Route[];
