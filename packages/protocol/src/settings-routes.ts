import { settingsPatterns } from './paths.ts';
import { json, type Parameter, type Route } from './route.ts';
import type { AnswerName, RequestName } from './route-schemas.ts';

const common = { tag: 'Settings', guard: 'admin' } as const;
const page: Parameter[] = [
  { in: 'query', name: 'cursor', description: 'The `next` of the page before.' },
  { in: 'query', name: 'limit', description: 'How many items at most, 1-200; 50 by default.' },
];

const noun = { Tenant: 'tenant', Agent: 'agent', Key: 'key', Tool: 'tool' } as const;
type Noun = keyof typeof noun;

function crud(kind: Noun, ...owners: ('tenantId' | 'agentId')[]): Route[] {
  const name = noun[kind];
  const article = kind === 'Agent' ? 'an' : 'a';
  const one = settingsPatterns[name];
  const all = settingsPatterns[`${name}s`];
  const create: RequestName = `${kind}Create`;
  const patch: RequestName = `${kind}Patch`;
  const list: AnswerName = `${kind}List`;
  const filters = owners.map((owner): Parameter => ({
    in: 'query',
    name: owner,
    description: `Only those of this ${owner === 'tenantId' ? 'tenant' : 'agent'}.`,
  }));
  return [
    {
      ...common,
      name: `create${kind}`,
      method: 'post',
      path: all,
      summary: `Create ${article} ${name}`,
      request: { body: create, required: true },
      answers: [json(201, 'Created.', kind)],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    {
      ...common,
      name: `list${kind}s`,
      method: 'get',
      path: all,
      summary: `List ${name}s, oldest first`,
      parameters: [...filters, ...page],
      answers: [json(200, 'One page.', list)],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED'],
    },
    {
      ...common,
      name: `read${kind}`,
      method: 'get',
      path: one,
      summary: `Read ${article} ${name}`,
      answers: [json(200, 'As it is stored; credentials by their last characters only.', kind)],
      problems: ['UNAUTHORIZED', 'NOT_FOUND'],
    },
    {
      ...common,
      name: `update${kind}`,
      method: 'patch',
      path: one,
      summary: `Change ${article} ${name}: fields left out stay, null restores the default`,
      request: { body: patch, required: true },
      answers: [json(200, 'As it is stored now.', kind)],
      problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
    },
    {
      ...common,
      name: `delete${kind}`,
      method: 'delete',
      path: one,
      summary: kind === 'Key' ? 'Revoke a key, at once' : `Delete ${article} ${name} and everything it owns`,
      answers: [{ status: 204, description: 'Gone.' }],
      problems: ['UNAUTHORIZED', 'NOT_FOUND'],
    },
  ];
}

export const settingsRoutes: readonly Route[] = [
  ...crud('Tenant'),
  ...crud('Agent', 'tenantId'),
  ...crud('Key', 'tenantId', 'agentId'),
  {
    ...common,
    name: 'regenerateKey',
    method: 'post',
    path: settingsPatterns.regenerateKey,
    summary: 'Replace a key; the old one is refused from the next request on',
    answers: [json(200, 'With the new `key`.', 'Key')],
    problems: ['UNAUTHORIZED', 'NOT_FOUND'],
  },
  ...crud('Tool', 'tenantId', 'agentId'),
  {
    ...common,
    name: 'testTool',
    method: 'post',
    path: settingsPatterns.testTool,
    summary: 'Run a tool once with given arguments',
    request: { body: 'ToolTest', required: true },
    answers: [json(200, 'What it answered.', 'ToolTestResult')],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  },
  {
    ...common,
    name: 'listFeedback',
    method: 'get',
    path: settingsPatterns.feedback,
    summary: 'List what visitors thought of turns, oldest first',
    parameters: [
      { in: 'query', name: 'agentId', description: 'The agent whose turns they are.', required: true },
      ...page,
    ],
    answers: [json(200, 'One page.', 'FeedbackList')],
    problems: ['BAD_REQUEST', 'UNAUTHORIZED', 'NOT_FOUND'],
  },
  {
    ...common,
    name: 'readStatus',
    method: 'get',
    path: settingsPatterns.status,
    summary: 'Count what the process that answers holds open and has dropped',
    answers: [json(200, 'The counts of this process.', 'ServiceStatus')],
    problems: ['UNAUTHORIZED'],
  },
];
