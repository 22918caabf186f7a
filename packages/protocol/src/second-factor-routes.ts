import { smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import {
  passwordConfirmationSchema,
  recoveryCodesSchema,
  secondFactorConfirmSchema,
  secondFactorSetupSchema,
  secondFactorViewSchema,
} from './settings/second-factor.ts';

const ofMember = { tag: 'Settings', principal: 'member' } as const;
const path = `${settingsPath}/session/second-factor`;
const confirmed = jsonBody('PasswordConfirmation', passwordConfirmationSchema, smallBounds);
const problems = [
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'CONFLICT',
  'TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'QUOTA_EXCEEDED',
] as const;
const codes = named('RecoveryCodes', recoveryCodesSchema);

/** What a member signs in with beside a password. */
export const secondFactorRoutes = [
  {
    ...ofMember,
    name: 'readSecondFactor',
    method: 'get',
    path,
    summary: 'Read whether signing in asks for a code as well',
    responses: [jsonResponse(200, 'One’s own.', named('SecondFactor', secondFactorViewSchema))],
    problems: ['UNAUTHORIZED', 'FORBIDDEN'],
  },
  {
    ...ofMember,
    name: 'startSecondFactor',
    method: 'post',
    path,
    summary: 'Begin to set up an authenticator app; nothing is on before its first code',
    body: confirmed,
    responses: [
      jsonResponse(200, 'What the app is given.', named('SecondFactorSetup', secondFactorSetupSchema)),
    ],
    problems,
  },
  {
    ...ofMember,
    name: 'confirmSecondFactor',
    method: 'post',
    path: `${path}/confirm`,
    summary: 'Turn the second factor on with the first code, which ends every other session of one’s own',
    body: jsonBody('SecondFactorConfirm', secondFactorConfirmSchema, smallBounds),
    responses: [jsonResponse(200, 'Turned on.', codes)],
    problems,
  },
  {
    ...ofMember,
    name: 'renewRecoveryCodes',
    method: 'post',
    path: `${path}/recovery-codes`,
    summary: 'Make new recovery codes in place of all earlier ones',
    body: confirmed,
    responses: [jsonResponse(200, 'The new ones.', codes)],
    problems,
  },
  {
    ...ofMember,
    name: 'removeSecondFactor',
    method: 'post',
    path: `${path}/remove`,
    summary: 'Turn one’s own second factor off, which ends every other session of one’s own',
    body: confirmed,
    responses: [{ status: 204, description: 'Off.' }],
    problems,
  },
  {
    tag: 'Settings',
    principal: 'settings',
    role: 'owner',
    name: 'resetSecondFactor',
    method: 'delete',
    path: `${settingsPath}/members/:id/second-factor`,
    summary:
      'Take away what a member signs in with beside the password, which ends their sessions; nobody does it to themselves',
    responses: [{ status: 204, description: 'The password alone opens.' }],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
] as const satisfies readonly Route[];
