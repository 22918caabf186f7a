import { z } from 'zod';
import { settingsPath } from './paths.ts';
import { jsonResponse, named, redirectResponse, type Route } from './route.ts';
import { connectionViewSchema } from './settings/connection.ts';
import { oauthClientPath, signInCallbackPath, signInPagePattern } from './sign-in-paths.ts';

const changes = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;

const signInViewSchema = z.object({
  url: z.string().describe('Where to send the browser that has asked, and no other one.'),
});

const clientDocumentSchema = z.object({
  client_id: z.string().describe('The address of this document.'),
  client_name: z.string().describe('What people are shown.'),
  client_uri: z.string().describe('Where the service is.'),
  redirect_uris: z.array(z.string()).describe('Where browsers are sent back to.'),
  grant_types: z.array(z.string()).describe('What it asks tokens for.'),
  response_types: z.array(z.string()).describe('What browsers come back with: a code.'),
  application_type: z.string().describe('That it is a server, or on somebody’s own machine.'),
  token_endpoint_auth_method: z.string().describe('It has no secret: every sign-in is protected by PKCE.'),
});

const parameter = (meaning: string) => z.string().max(4_000).optional().describe(meaning);

/** What an authorization server sends back with a browser (RFC 6749, RFC 9207). */
const callbackQuerySchema = z.object({
  state: parameter('What tells the sign-in that it belongs to; taken once.'),
  code: parameter('What tokens are asked for with.'),
  iss: parameter('Which server says so (RFC 9207).'),
  error: parameter('Why there is no code.'),
});

/** How members and visitors sign in at the servers of connections. */
export const signInRoutes = (platform: string) =>
  [
    {
      ...changes,
      name: 'beginSignIn',
      method: 'post',
      path: `${settingsPath}/connections/:id/sign-in`,
      summary: 'Begin to sign in at the server of a connection, in this browser and for ten minutes',
      responses: [
        {
          ...jsonResponse(200, 'Where to go on.', named('ConnectionSignIn', signInViewSchema)),
          headers: { 'Set-Cookie': 'Ties the sign-in to this browser.' },
        },
      ],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
    },
    {
      ...changes,
      name: 'endSignIn',
      method: 'delete',
      path: `${settingsPath}/connections/:id/sign-in`,
      summary: 'Sign out at the server of a connection: its tokens are revoked and forgotten',
      responses: [jsonResponse(200, 'As it is now.', named('Connection', connectionViewSchema))],
      problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    },
    {
      tag: 'Service',
      name: 'completeSignIn',
      method: 'get',
      path: signInCallbackPath(platform),
      principal: 'anyone',
      summary: 'Where an authorization server sends a browser back to',
      query: callbackQuerySchema,
      responses: [
        { status: 200, description: 'What came of it, in words.', content: { 'text/html': 'text' } },
        redirectResponse(303, 'Back to the console.', 'Its page.'),
      ],
      problems: ['BAD_REQUEST'],
    },
    {
      tag: 'Service',
      name: 'signInPage',
      method: 'get',
      path: signInPagePattern(platform),
      principal: 'anyone',
      summary: 'Asks a visitor whether they want to sign in; `authorization.required` has its address',
      responses: [{ status: 200, description: 'The question.', content: { 'text/html': 'text' } }],
      problems: [],
    },
    {
      tag: 'Service',
      name: 'beginVisitorSignIn',
      method: 'post',
      path: signInPagePattern(platform),
      principal: 'anyone',
      summary: 'Sends a visitor who was asked to sign in, in this browser and for ten minutes',
      responses: [
        { status: 200, description: 'Why that is not possible.', content: { 'text/html': 'text' } },
        redirectResponse(303, 'To where they sign in.', 'Its page.'),
      ],
      problems: [],
    },
    {
      tag: 'Service',
      name: 'oauthClient',
      method: 'get',
      path: oauthClientPath(platform),
      principal: 'anyone',
      summary: 'Who this service is to authorization servers: its client id metadata document',
      responses: [jsonResponse(200, 'As RFC 7591 names it.', named('OAuthClient', clientDocumentSchema))],
      problems: [],
    },
  ] as const satisfies readonly Route[];
