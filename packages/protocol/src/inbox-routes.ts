import { settingsBounds, smallBounds } from './body-bounds.ts';
import { sessionEventSchema } from './event.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { conversationStreamQuery } from './settings/conversation.ts';
import {
  amendmentSchema,
  approvalAnswerSchema,
  approverSchema,
  approversQuery,
  colleagueSchema,
  assignmentSchema,
  delegationSchema,
  handBackSchema,
  inboxChangeSchema,
  inboxItemSchema,
  inboxQuery,
  inboxStreamQuery,
  noteCreateSchema,
  presenceSchema,
  presentViewSchema,
  teamAnswerSchema,
  teamMessageSchema,
  threadViewSchema,
} from './settings/inbox.ts';
import { ofTenant, pageQuery } from './settings/page.ts';
import { listView } from './settings/view.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer', method: 'get' } as const;
const works = { tag: 'Settings', principal: 'settings', role: 'agent', method: 'post' } as const;
const conversation = `${settingsPath}/conversations/:id`;
const problems = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
const bodyProblems = ['BAD_REQUEST', ...problems, 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
const thread = named('Thread', threadViewSchema);
const asItIs = [jsonResponse(200, 'As it stands now.', thread)];

/** How the team works on conversations: who answers, who looks after them, what they note. */
export const inboxRoutes = [
  {
    ...reads,
    name: 'listInbox',
    path: `${settingsPath}/inbox`,
    summary:
      'List the conversations of the team, those of Chat left out. A page may have fewer items than there are, or none: `next` is null at the end alone',
    query: inboxQuery,
    responses: [jsonResponse(200, 'One page.', named('Inbox', listView(inboxItemSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...reads,
    name: 'streamInbox',
    path: `${settingsPath}/inbox/stream`,
    summary: 'Follow what changes in the list of the team’s conversations',
    query: inboxStreamQuery,
    responses: [
      {
        status: 200,
        description:
          'One change a line, for as long as it is read. An empty line says that the stream is alive.',
        content: { 'application/x-ndjson': named('InboxChange', inboxChangeSchema) },
      },
    ],
    problems: ['BAD_REQUEST', ...problems, 'UNAVAILABLE'],
  },
  {
    ...reads,
    method: 'post',
    name: 'notePresence',
    path: `${settingsPath}/inbox/presence`,
    summary:
      'Say that one has the inbox open, and read who else has: somebody who has not said so again for 15 seconds is not there',
    body: jsonBody('Presence', presenceSchema, smallBounds),
    responses: [jsonResponse(200, 'As it is now.', named('Present', presentViewSchema))],
    problems: bodyProblems,
  },
  {
    ...works,
    method: 'get',
    name: 'listColleagues',
    path: `${settingsPath}/inbox/colleagues`,
    summary:
      'List who can look after conversations, oldest first. A page may have fewer items than there are, or none: `next` is null at the end alone',
    query: pageQuery(ofTenant),
    responses: [jsonResponse(200, 'One page.', named('ColleagueList', listView(colleagueSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...reads,
    name: 'readThread',
    path: `${conversation}/thread`,
    summary: 'Read who answers in a conversation, who looks after it and what the team noted',
    responses: asItIs,
    problems,
  },
  {
    ...reads,
    name: 'streamConversation',
    path: `${conversation}/stream`,
    summary:
      'Follow the events of a conversation as they are appended, as a secret key sees them and with what the team tells the agent',
    query: conversationStreamQuery,
    responses: [
      {
        status: 200,
        description: 'One event a line, for as long as it is read.',
        content: { 'application/x-ndjson': named('SessionEvent', sessionEventSchema) },
      },
    ],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...works,
    name: 'takeOverConversation',
    path: `${conversation}/take-over`,
    summary:
      'Answer in place of the agent: a turn that runs is cancelled, and what the visitor writes is for the member',
    responses: asItIs,
    problems: [...problems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'sendTeamMessage',
    path: `${conversation}/messages`,
    summary: 'Say something to the visitor, in a conversation that the member has taken over',
    body: jsonBody('TeamMessage', teamMessageSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'whisperToAgent',
    path: `${conversation}/whisper`,
    summary:
      'Tell the agent something that the visitor is not shown: it reads it before it asks its model again, and the team finds it among the notes',
    body: jsonBody('Whisper', noteCreateSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'handBackConversation',
    path: `${conversation}/hand-back`,
    summary:
      'Let the agent answer again, at once where the visitor waits; an admin may do so where another member answers',
    body: jsonBody('HandBack', handBackSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'answerApproval',
    path: `${conversation}/approvals`,
    summary: 'Approve a call that the agent wants to make, or deny it, where its agent lets the team answer',
    body: jsonBody('ApprovalAnswer', approvalAnswerSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'amendApproval',
    path: `${conversation}/approvals/amend`,
    summary:
      'Change the arguments of a call that waits for an approval: it is asked for anew, and whoever approves approves the new ones',
    body: jsonBody('ApprovalAmendment', amendmentSchema, settingsBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'delegateApproval',
    path: `${conversation}/approvals/delegate`,
    summary:
      'Hand an approval to another member, who is asked and written to from then on; others may answer it still',
    body: jsonBody('ApprovalDelegation', delegationSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    method: 'get',
    name: 'listApprovers',
    path: `${conversation}/approvers`,
    summary:
      'List whom approvals of a conversation can be handed to, oldest first. A page may have fewer items than there are, or none: `next` is null at the end alone',
    query: approversQuery,
    responses: [jsonResponse(200, 'One page.', named('ApproverList', listView(approverSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...works,
    name: 'answerTeamQuestion',
    path: `${conversation}/answers`,
    summary: 'Answer what the agent asks the team: it goes on with the first answer',
    body: jsonBody('TeamAnswer', teamAnswerSchema, smallBounds),
    responses: asItIs,
    problems: [...bodyProblems, 'CONFLICT', 'QUEUE_FULL', 'UNAVAILABLE'],
  },
  {
    ...works,
    name: 'assignConversation',
    path: `${conversation}/assign`,
    summary: 'Say who looks after a conversation',
    body: jsonBody('Assignment', assignmentSchema, smallBounds),
    responses: asItIs,
    problems: bodyProblems,
  },
  {
    ...works,
    name: 'addNote',
    path: `${conversation}/notes`,
    summary: 'Note something that neither the visitor nor the agent is shown',
    body: jsonBody('NoteCreate', noteCreateSchema, smallBounds),
    responses: [jsonResponse(201, 'As it stands now.', thread)],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...works,
    method: 'delete',
    name: 'deleteNote',
    path: `${conversation}/notes/:note`,
    summary: 'Remove a note of one’s own; an admin removes any',
    responses: [{ status: 204, description: 'Gone.' }],
    problems,
  },
] as const satisfies readonly Route[];
