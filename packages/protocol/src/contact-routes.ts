import { smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import {
  contactExportSchema,
  contactListQuery,
  contactPatchSchema,
  contactViewSchema,
  erasureViewSchema,
} from './settings/contact.ts';
import { conversationViewSchema } from './settings/conversation.ts';
import { pageQuery } from './settings/page.ts';
import { listView } from './settings/view.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer', method: 'get' } as const;
const admin = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;
const path = `${settingsPath}/contacts`;
const problems = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
const contact = named('Contact', contactViewSchema);

/** The people that a tenant’s agents know. */
export const contactRoutes = [
  {
    ...reads,
    name: 'listContacts',
    path,
    summary:
      'List the contacts of a tenant, who wrote last first. A page may have fewer items than there are, or none: `next` is null at the end alone',
    query: contactListQuery,
    responses: [jsonResponse(200, 'One page.', named('ContactList', listView(contactViewSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...reads,
    name: 'readContact',
    path: `${path}/:id`,
    summary: 'Read a contact',
    responses: [jsonResponse(200, 'As it stands.', contact)],
    problems,
  },
  {
    ...reads,
    role: 'agent',
    name: 'updateContact',
    method: 'patch',
    path: `${path}/:id`,
    summary: 'Move a contact through the pipeline, or change what is noted of it',
    body: jsonBody('ContactPatch', contactPatchSchema, smallBounds),
    responses: [jsonResponse(200, 'As it stands now.', contact)],
    problems: ['BAD_REQUEST', ...problems, 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    ...reads,
    name: 'listContactConversations',
    path: `${path}/:id/conversations`,
    summary:
      'List the conversations of a contact, the newest first. A page may have fewer items than there are',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('ConversationList', listView(conversationViewSchema)))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...admin,
    name: 'exportContact',
    method: 'get',
    path: `${path}/:id/export`,
    summary:
      'Export all there is of a contact: what is noted, where they have signed in, and every conversation',
    responses: [
      jsonResponse(
        200,
        'As a file, whose events are those that a secret key sees.',
        named('ContactExport', contactExportSchema),
      ),
    ],
    problems,
  },
  {
    ...admin,
    name: 'eraseContact',
    method: 'post',
    path: `${path}/:id/erase`,
    summary: 'Erase a person: the contact, every conversation and whatever else there is of them',
    responses: [jsonResponse(200, 'What was erased.', named('Erasure', erasureViewSchema))],
    problems,
  },
] as const satisfies readonly Route[];
