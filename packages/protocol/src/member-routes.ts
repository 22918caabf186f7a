import { smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { auditEntrySchema } from './settings/audit.ts';
import {
  consoleSessionViewSchema,
  invitationAcceptSchema,
  invitationCreateSchema,
  invitationViewSchema,
  memberPatchSchema,
  memberPictureSchema,
  memberViewSchema,
  passwordChangeSchema,
  signInSchema,
} from './settings/member.ts';
import { ofTenant, pageQuery } from './settings/page.ts';
import { listView } from './settings/view.ts';

const ofMember = { tag: 'Settings', principal: 'member' } as const;
const ofOwner = { tag: 'Settings', principal: 'settings', role: 'owner' } as const;
const bodyProblems = ['BAD_REQUEST', 'UNAUTHORIZED', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const;
const member = named('Member', memberViewSchema);
const invitation = named('Invitation', invitationViewSchema);
const picture = named('MemberPicture', memberPictureSchema);
const setsCookie = { 'Set-Cookie': 'The session of the console.' };

/** Who works in the console: how they come in, who they are, and what was changed. */
export const memberRoutes = [
  {
    tag: 'Settings',
    principal: 'browser',
    name: 'acceptInvitation',
    method: 'post',
    path: `${settingsPath}/invitations/accept`,
    summary: 'Become a member with the token of an invitation or of the setup link, and sign in',
    body: jsonBody('InvitationAccept', invitationAcceptSchema, smallBounds),
    responses: [{ ...jsonResponse(201, 'Signed in.', member), headers: setsCookie }],
    problems: [...bodyProblems, 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  {
    tag: 'Settings',
    principal: 'browser',
    name: 'signIn',
    method: 'post',
    path: `${settingsPath}/session`,
    summary: 'Sign in to the console',
    body: jsonBody('SignIn', signInSchema, smallBounds),
    responses: [{ ...jsonResponse(200, 'Signed in.', member), headers: setsCookie }],
    problems: [...bodyProblems, 'SECOND_FACTOR_REQUIRED', 'FORBIDDEN', 'QUOTA_EXCEEDED'],
  },
  {
    tag: 'Settings',
    principal: 'browser',
    name: 'readSession',
    method: 'get',
    path: `${settingsPath}/session`,
    summary: 'Read who is signed in',
    responses: [
      jsonResponse(200, 'The member.', member),
      // No error: the console asks before anybody has signed in.
      { status: 204, description: 'Nobody is signed in.' },
    ],
    problems: ['FORBIDDEN'],
  },
  {
    ...ofMember,
    name: 'signOut',
    method: 'delete',
    path: `${settingsPath}/session`,
    summary: 'Sign out of the console',
    responses: [{ status: 204, description: 'Signed out.' }],
    problems: ['UNAUTHORIZED', 'FORBIDDEN'],
  },
  {
    ...ofMember,
    name: 'changePassword',
    method: 'post',
    path: `${settingsPath}/session/password`,
    summary: 'Change one’s own password, which ends every other session of one’s own',
    body: jsonBody('PasswordChange', passwordChangeSchema, smallBounds),
    responses: [{ status: 204, description: 'Changed.' }],
    problems: [...bodyProblems, 'FORBIDDEN', 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
  {
    ...ofMember,
    name: 'readOwnPicture',
    method: 'get',
    path: `${settingsPath}/session/picture`,
    summary: 'Read one’s own picture',
    responses: [jsonResponse(200, 'As it is stored.', picture)],
    problems: ['UNAUTHORIZED'],
  },
  {
    ...ofMember,
    name: 'changeOwnPicture',
    method: 'post',
    path: `${settingsPath}/session/picture`,
    summary: 'Change one’s own picture, or take it away, wherever visitors see it',
    body: jsonBody('MemberPicture', memberPictureSchema, smallBounds),
    responses: [{ status: 204, description: 'Changed.' }],
    problems: [...bodyProblems, 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  {
    ...ofMember,
    name: 'listConsoleSessions',
    method: 'get',
    path: `${settingsPath}/sessions`,
    summary: 'List one’s own sessions of the console, oldest first',
    query: pageQuery({}),
    responses: [
      jsonResponse(200, 'One page.', named('ConsoleSessionList', listView(consoleSessionViewSchema))),
    ],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED'],
  },
  {
    ...ofMember,
    name: 'endConsoleSession',
    method: 'delete',
    path: `${settingsPath}/sessions/:id`,
    summary: 'End one of one’s own sessions of the console',
    responses: [{ status: 204, description: 'Ended.' }],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...ofOwner,
    name: 'listMembers',
    method: 'get',
    path: `${settingsPath}/members`,
    summary: 'List members, oldest first',
    query: pageQuery(ofTenant),
    responses: [jsonResponse(200, 'One page.', named('MemberList', listView(memberViewSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...ofOwner,
    name: 'readMember',
    method: 'get',
    path: `${settingsPath}/members/:id`,
    summary: 'Read a member',
    responses: [jsonResponse(200, 'The member.', member)],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...ofOwner,
    name: 'updateMember',
    method: 'patch',
    path: `${settingsPath}/members/:id`,
    summary: 'Change a member’s role, which nobody does to themselves',
    body: jsonBody('MemberPatch', memberPatchSchema, smallBounds),
    responses: [jsonResponse(200, 'As it is stored now.', member)],
    problems: [...bodyProblems, 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  {
    ...ofOwner,
    name: 'deleteMember',
    method: 'delete',
    path: `${settingsPath}/members/:id`,
    summary: 'Remove a member, who is signed out at once; nobody removes themselves',
    responses: [{ status: 204, description: 'Gone.' }],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...ofOwner,
    name: 'createInvitation',
    method: 'post',
    path: `${settingsPath}/invitations`,
    summary: 'Invite somebody: whoever has the token becomes a member, once, within a week',
    body: jsonBody('InvitationCreate', invitationCreateSchema, smallBounds),
    responses: [jsonResponse(201, 'With the `token`, shown here only.', invitation)],
    problems: [...bodyProblems, 'FORBIDDEN'],
  },
  {
    ...ofOwner,
    name: 'listInvitations',
    method: 'get',
    path: `${settingsPath}/invitations`,
    summary: 'List invitations that were not accepted, oldest first',
    query: pageQuery(ofTenant),
    responses: [jsonResponse(200, 'One page.', named('InvitationList', listView(invitationViewSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...ofOwner,
    name: 'deleteInvitation',
    method: 'delete',
    path: `${settingsPath}/invitations/:id`,
    summary: 'Take an invitation back',
    responses: [{ status: 204, description: 'Gone.' }],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    tag: 'Settings',
    principal: 'settings',
    role: 'admin',
    name: 'listAudit',
    method: 'get',
    path: `${settingsPath}/audit`,
    summary: 'List changes of the settings, latest first',
    query: pageQuery(ofTenant),
    responses: [jsonResponse(200, 'One page.', named('AuditList', listView(auditEntrySchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
] as const satisfies readonly Route[];
