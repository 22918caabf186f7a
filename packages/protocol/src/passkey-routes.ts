import { smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { memberViewSchema } from './settings/member.ts';
import { pageQuery } from './settings/page.ts';
import {
  passkeyCreateSchema,
  passkeyOptionsSchema,
  passkeyPatchSchema,
  passkeySignInSchema,
  passkeyViewSchema,
} from './settings/passkey.ts';
import { passwordConfirmationSchema } from './settings/second-factor.ts';
import { listView } from './settings/view.ts';

const ofMember = { tag: 'Settings', principal: 'member' } as const;
const ofBrowser = { tag: 'Settings', principal: 'browser' } as const;
const bodyProblems = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const;
const passkey = named('Passkey', passkeyViewSchema);
const options = named('PasskeyOptions', passkeyOptionsSchema);
const all = `${settingsPath}/passkeys`;

/** What a member signs in with instead of a password. */
export const passkeyRoutes = [
  {
    ...ofBrowser,
    name: 'startPasskeySignIn',
    method: 'post',
    path: `${settingsPath}/session/passkey/options`,
    summary: 'Begin to sign in with a passkey: a challenge that opens once, within five minutes',
    responses: [jsonResponse(200, 'For `navigator.credentials.get`.', options)],
    problems: ['FORBIDDEN', 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
  {
    ...ofBrowser,
    name: 'signInWithPasskey',
    method: 'post',
    path: `${settingsPath}/session/passkey`,
    summary: 'Sign in to the console with what a passkey made of the challenge',
    body: jsonBody('PasskeySignIn', passkeySignInSchema, smallBounds),
    responses: [
      {
        ...jsonResponse(200, 'Signed in.', named('Member', memberViewSchema)),
        headers: { 'Set-Cookie': 'The session of the console.' },
      },
    ],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...ofMember,
    name: 'startPasskey',
    method: 'post',
    path: `${all}/options`,
    summary: 'Begin to add a passkey of one’s own',
    body: jsonBody('PasswordConfirmation', passwordConfirmationSchema, smallBounds),
    responses: [jsonResponse(200, 'For `navigator.credentials.create`.', options)],
    problems: [...bodyProblems, 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
  {
    ...ofMember,
    name: 'createPasskey',
    method: 'post',
    path: all,
    summary: 'Add a passkey of one’s own',
    body: jsonBody('PasskeyCreate', passkeyCreateSchema, smallBounds),
    responses: [jsonResponse(201, 'Added.', passkey)],
    problems: [...bodyProblems, 'CONFLICT'],
  },
  {
    ...ofMember,
    name: 'listPasskeys',
    method: 'get',
    path: all,
    summary: 'List one’s own passkeys, oldest first',
    query: pageQuery({}),
    responses: [jsonResponse(200, 'One page.', named('PasskeyList', listView(passkeyViewSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED'],
  },
  {
    ...ofMember,
    name: 'updatePasskey',
    method: 'patch',
    path: `${all}/:id`,
    summary: 'Rename a passkey of one’s own',
    body: jsonBody('PasskeyPatch', passkeyPatchSchema, smallBounds),
    responses: [jsonResponse(200, 'As it is stored now.', passkey)],
    problems: [...bodyProblems, 'NOT_FOUND'],
  },
  {
    ...ofMember,
    name: 'deletePasskey',
    method: 'delete',
    path: `${all}/:id`,
    summary: 'Remove a passkey of one’s own, which ends every other session of one’s own',
    responses: [{ status: 204, description: 'It opens nothing any more.' }],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
] as const satisfies readonly Route[];
