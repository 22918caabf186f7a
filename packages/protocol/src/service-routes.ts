import { z } from 'zod';
import { healthSchema } from './health.ts';
import { consolePatterns, servicePatterns } from './paths.ts';
import { jsonResponse, named, redirectResponse, type Route } from './route.ts';

const health = named('Health', healthSchema);
const common = { tag: 'Service', method: 'get', principal: 'anyone' } as const;

export const serviceRoutes = [
  {
    ...common,
    name: 'home',
    path: servicePatterns.home,
    summary: 'Leads whoever opens the address of the service to the console',
    responses: [redirectResponse(302, 'To the console.', 'Its path.')],
    problems: [],
  },
  {
    ...common,
    name: 'live',
    path: servicePatterns.live,
    summary: 'Whether the process answers',
    responses: [jsonResponse(200, 'It does.', health)],
    problems: [],
  },
  {
    ...common,
    name: 'ready',
    path: servicePatterns.ready,
    summary: 'Whether it takes work and can store it, and has its pages; the error says what is missing',
    responses: [jsonResponse(200, 'It does.', health)],
    problems: ['UNAVAILABLE'],
  },
  {
    ...common,
    name: 'readMetrics',
    path: servicePatterns.metrics,
    summary:
      'What this process counts, for a Prometheus that sends `METRICS_TOKEN`; without the variable there is nothing here',
    headers: [{ name: 'authorization', description: '`Bearer` and the token of the metrics.' }],
    responses: [{ status: 200, description: 'The text format 0.0.4.', content: { 'text/plain': 'text' } }],
    problems: ['NOT_FOUND', 'UNAUTHORIZED'],
  },
  {
    ...common,
    name: 'readOpenapi',
    path: servicePatterns.openapi,
    summary: 'This interface as an OpenAPI document',
    responses: [jsonResponse(200, 'OpenAPI 3.1.', named('OpenapiDocument', z.looseObject({})))],
    problems: [],
  },
  {
    ...common,
    name: 'readDocs',
    path: servicePatterns.docs,
    summary: 'The first page of the documentation',
    responses: [
      { status: 200, description: 'One page.', content: { 'text/html': 'text' } },
      { status: 304, description: 'As the browser has it.' },
    ],
    problems: [],
  },
  {
    ...common,
    name: 'readDocsPage',
    path: servicePatterns.docsPage,
    summary: 'Another page of the documentation, or what its pages are made with',
    responses: [
      { status: 200, description: 'The page or file.', content: { 'text/html': 'text', '*/*': 'bytes' } },
      { status: 304, description: 'As the browser has it.' },
      { status: 404, description: 'A page that says that there is none.', content: { 'text/html': 'text' } },
    ],
    problems: [],
  },
  {
    ...common,
    name: 'consolePage',
    path: consolePatterns.page,
    summary: 'The console, in which members change settings',
    responses: [
      { status: 200, description: 'One page.', content: { 'text/html': 'text' } },
      { status: 304, description: 'As the browser has it.' },
    ],
    problems: [],
  },
  {
    ...common,
    name: 'consoleAsset',
    path: consolePatterns.asset,
    summary:
      'A script or style sheet of the console, whose content never changes, or `licenses.md`: what of others ships in them',
    responses: [
      { status: 200, description: 'The file.', content: { '*/*': 'bytes' } },
      { status: 304, description: 'As the browser has it.' },
    ],
    problems: ['NOT_FOUND'],
  },
] as const satisfies readonly Route[];
