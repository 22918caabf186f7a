import { z } from 'zod';
import { settingsBounds, smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type NamedSchema, type Route } from './route.ts';
import { agentCreateSchema, agentPatchSchema, agentViewSchema } from './settings/agent.ts';
import {
  connectionCreateSchema,
  connectionPatchSchema,
  connectionViewSchema,
} from './settings/connection.ts';
import { feedbackViewSchema } from './settings/feedback.ts';
import { identifier } from './settings/field.ts';
import { keyCreateSchema, keyPatchSchema, keyViewSchema } from './settings/key.ts';
import { ofAgent, ofTenant, pageQuery } from './settings/page.ts';
import { sourceCreateSchema, sourcePatchSchema, sourceViewSchema } from './settings/source.ts';
import { serviceStatusSchema } from './settings/status.ts';
import { tenantCreateSchema, tenantPatchSchema, tenantViewSchema } from './settings/tenant.ts';
import { modelTestSchema, modelTestViewSchema } from './settings/model-test.ts';
import { toolCreateSchema, toolPatchSchema, toolViewSchema } from './settings/tool.ts';
import {
  newToolTestSchema,
  toolDocumentSchema,
  toolDocumentViewSchema,
  toolTestSchema,
  toolTestViewSchema,
} from './settings/tool-trial.ts';
import { listView, unreadableSchema } from './settings/view.ts';
import { webhookCreateSchema, webhookPatchSchema, webhookViewSchema } from './settings/webhook.ts';

const reads = { tag: 'Settings', principal: 'settings', role: 'viewer' } as const;
const changes = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;

/** What reaches out of the service and stores nothing; counted for whoever asks. */
const tries = {
  ...changes,
  method: 'post',
  problems: [
    'BAD_REQUEST',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'NOT_FOUND',
    'TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'QUOTA_EXCEEDED',
  ],
} as const;

interface ResourceSchemas<
  Create extends z.ZodType,
  Patch extends z.ZodType,
  Filters extends z.core.$ZodShape,
> {
  readonly create: Create;
  readonly patch: Patch;
  readonly view: z.ZodType;
  /** Whether a stored record may be unreadable, and is then listed as such. */
  readonly sealed?: true;
  readonly filters: Filters;
  /** Whether members of a single tenant may create and delete none. */
  readonly everyTenant?: true;
  readonly deletion?: string;
}

/** The five routes of a settings resource: `createTenant`, `listTenants`, `readTenant`, `updateTenant`, `deleteTenant`. */
function resource<
  const Kind extends string,
  Create extends z.ZodType,
  Patch extends z.ZodType,
  Filters extends z.core.$ZodShape,
>(kind: Kind, schemas: ResourceSchemas<Create, Patch, Filters>) {
  const { create, patch, sealed, filters, everyTenant } = schemas;
  const ofService = { ...changes, ...(everyTenant && { everyTenant }) };
  const noun = kind.toLowerCase();
  const article = /^[aeiou]/.test(noun) ? 'an' : 'a';
  const all = `${settingsPath}/${noun}s`;
  const one = `${all}/:id`;
  const view: NamedSchema = named(kind, schemas.view);
  const listed = sealed ? z.union([schemas.view, unreadableSchema]) : schemas.view;
  return [
    {
      ...ofService,
      name: `create${kind}`,
      method: 'post',
      path: all,
      summary: `Create ${article} ${noun}`,
      body: jsonBody(`${kind}Create`, create, settingsBounds),
      responses: [jsonResponse(201, 'Created.', view)],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NOT_FOUND',
        'TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    {
      ...reads,
      name: `list${kind}s`,
      method: 'get',
      path: all,
      summary: `List ${noun}s, oldest first`,
      query: pageQuery(filters),
      responses: [jsonResponse(200, 'One page.', named(`${kind}List`, listView(listed)))],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    },
    {
      ...reads,
      name: `read${kind}`,
      method: 'get',
      path: one,
      summary: `Read ${article} ${noun}`,
      responses: [jsonResponse(200, 'As it is stored; credentials by their last characters only.', view)],
      problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    },
    {
      ...changes,
      name: `update${kind}`,
      method: 'patch',
      path: one,
      summary: `Change ${article} ${noun}: fields left out stay, null restores the default`,
      body: jsonBody(`${kind}Patch`, patch, settingsBounds),
      responses: [jsonResponse(200, 'As it is stored now.', view)],
      problems: [
        'BAD_REQUEST',
        'UNAUTHORIZED',
        'FORBIDDEN',
        'NOT_FOUND',
        'CONFLICT',
        'TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ],
    },
    {
      ...ofService,
      name: `delete${kind}`,
      method: 'delete',
      path: one,
      summary: schemas.deletion ?? `Delete ${article} ${noun} and everything it owns`,
      responses: [{ status: 204, description: 'Gone.' }],
      problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
    },
  ] as const satisfies readonly Route[];
}

export const settingsRoutes = [
  ...resource('Tenant', {
    create: tenantCreateSchema,
    patch: tenantPatchSchema,
    view: tenantViewSchema,
    filters: {},
    everyTenant: true,
  }),
  ...resource('Agent', {
    create: agentCreateSchema,
    patch: agentPatchSchema,
    view: agentViewSchema,
    sealed: true,
    filters: ofTenant,
  }),
  {
    ...tries,
    name: 'testModel',
    path: `${settingsPath}/agents/:id/test-model`,
    summary: 'Make one small call of a model with the settings of an agent',
    body: jsonBody('ModelTest', modelTestSchema, settingsBounds),
    responses: [
      jsonResponse(
        200,
        'Whether it answered, and if not, why.',
        named('ModelTestResult', modelTestViewSchema),
      ),
    ],
  },
  ...resource('Key', {
    create: keyCreateSchema,
    patch: keyPatchSchema,
    view: keyViewSchema,
    filters: { ...ofTenant, ...ofAgent },
    deletion: 'Revoke a key, at once',
  }),
  {
    ...changes,
    name: 'regenerateKey',
    method: 'post',
    path: `${settingsPath}/keys/:id/regenerate`,
    summary: 'Replace a key; the old one is refused from the next request on',
    responses: [jsonResponse(200, 'With the new `key`.', named('Key', keyViewSchema))],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  ...resource('Tool', {
    create: toolCreateSchema,
    patch: toolPatchSchema,
    view: toolViewSchema,
    sealed: true,
    filters: { ...ofTenant, ...ofAgent },
  }),
  {
    ...tries,
    name: 'testTool',
    path: `${settingsPath}/tools/:id/test`,
    summary: 'Run a tool once with given arguments, as it is stored or with changes',
    body: jsonBody('ToolTest', toolTestSchema, settingsBounds),
    responses: [
      jsonResponse(200, 'What was sent, and what was answered.', named('ToolTestResult', toolTestViewSchema)),
    ],
  },
  {
    ...tries,
    name: 'testNewTool',
    path: `${settingsPath}/tools/test`,
    summary: 'Run a tool once that is not stored',
    body: jsonBody('NewToolTest', newToolTestSchema, settingsBounds),
    responses: [
      jsonResponse(200, 'What was sent, and what was answered.', named('ToolTestResult', toolTestViewSchema)),
    ],
  },
  {
    ...tries,
    name: 'readToolDocument',
    path: `${settingsPath}/tools/document`,
    summary: 'Read the description of an API from its address, to make tools of',
    body: jsonBody('ToolDocument', toolDocumentSchema, smallBounds),
    responses: [
      jsonResponse(200, 'Its text, or why there is none.', named('ToolDocumentText', toolDocumentViewSchema)),
    ],
  },
  ...resource('Source', {
    create: sourceCreateSchema,
    patch: sourcePatchSchema,
    view: sourceViewSchema,
    sealed: true,
    filters: { ...ofTenant, ...ofAgent },
  }),
  {
    ...changes,
    name: 'readSourceAgain',
    method: 'post',
    path: `${settingsPath}/sources/:id/read`,
    summary: 'Read a source again; a website in the background, which `reading` tells of',
    responses: [jsonResponse(200, 'As it is now.', named('Source', sourceViewSchema))],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  ...resource('Connection', {
    create: connectionCreateSchema,
    patch: connectionPatchSchema,
    view: connectionViewSchema,
    sealed: true,
    filters: { ...ofTenant, ...ofAgent },
  }),
  {
    ...changes,
    name: 'checkConnection',
    method: 'post',
    path: `${settingsPath}/connections/:id/check`,
    summary: 'Ask a connection for its tools; what has changed is used again once it is approved',
    responses: [jsonResponse(200, 'As it is now.', named('Connection', connectionViewSchema))],
    problems: ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  ...resource('Webhook', {
    create: webhookCreateSchema,
    patch: webhookPatchSchema,
    view: webhookViewSchema,
    sealed: true,
    filters: ofTenant,
    deletion: 'Delete a webhook and the log of its deliveries',
  }),
  {
    ...reads,
    name: 'listFeedback',
    method: 'get',
    path: `${settingsPath}/feedback`,
    summary: 'List what visitors thought of turns, oldest first',
    query: pageQuery({ agentId: identifier.describe('The agent whose turns they are.') }),
    responses: [jsonResponse(200, 'One page.', named('FeedbackList', listView(feedbackViewSchema)))],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'],
  },
  {
    ...reads,
    everyTenant: true,
    name: 'readStatus',
    method: 'get',
    path: `${settingsPath}/status`,
    summary: 'Count what the process that answers holds open and has dropped',
    responses: [
      jsonResponse(200, 'The counts of this process.', named('ServiceStatus', serviceStatusSchema)),
    ],
    problems: ['UNAUTHORIZED', 'FORBIDDEN'],
  },
] as const satisfies readonly Route[];
