import { type ProblemCode, problemStatus } from '@parley/protocol/problem';
import { problemsOf, type Route, type RouteResponse } from '@parley/protocol/route';
import { parametersOf } from '@parley/protocol/route-parameters';
import { docsUrl } from '../docs/contents.ts';
import { escapeHtml } from '../docs/escape-html.ts';
import { exampleHtml } from '../docs/example-html.ts';
import { exampleOf } from './example-of.ts';
import type { JsonSchema, Schemas } from './json-schema.ts';
import { prose } from './prose.ts';
import { requestExamples } from './request-examples.ts';

const credentials = {
  anyone: 'No key is needed.',
  key: 'With a secret or a publishable key.',
  settings: 'With the administration token, or as a member who is signed in to the console.',
  member: 'As a member who is signed in to the console.',
  browser: 'From a page of this service only.',
} as const;

/** What is sent as bytes, by the name of the call; elsewhere a picture. */
const uploads: Readonly<Record<string, readonly [mediaType: string, file: string]>> = {
  uploadSource: ['text/markdown', 'returns.md'],
};

interface Context {
  readonly schemas: Schemas;
  readonly publicUrl: string;
  readonly link: (name: string) => string;
}

/** A route: what it is for, who may use it, what it takes and answers, and both as an example. */
export function operationHtml(route: Route, context: Context): string {
  const { name, method, path, summary, principal, secretKey, body, responses } = route;
  const problems = problemsOf(route);
  const parameters = parametersOf(route).map(
    (parameter) =>
      [
        `<code>${escapeHtml(parameter.name)}</code>`,
        `${prose(parameter.description ?? '')} <small>in the ${parameter.in}${parameter.required ? '; required' : ''}</small>`,
      ] as const,
  );
  const rows = [
    ...parameters,
    ...(body ? [['Body', bodyText(body, context)] as const] : []),
    ...responses.map((response) => [String(response.status), responseText(response, context)] as const),
    ...(problems.length > 0 ? [['Errors', problems.map(problemText).join(', ')] as const] : []),
  ];
  return `<section class="operation"><h2 id="${name}"><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</h2>
<p>${prose(summary)}. ${secretKey ? 'With a secret key.' : credentials[principal]}</p>
<div class="wide" tabindex="0"><table>${rows.map(([left, right]) => `<tr><th scope="row">${left}</th><td>${right}</td></tr>`).join('')}</table></div>
${requestHtml(route, context)}${responseHtml(route, context)}</section>`;
}

function bodyText(body: NonNullable<Route['body']>, { link }: Context): string {
  if (body === 'bytes') return 'The bytes of a file, as they are.';
  return `<a href="${link(body.name)}">${body.name}</a>${body.required ? '' : '; may be left out'}`;
}

function responseText({ description, content = {}, headers = {} }: RouteResponse, { link }: Context): string {
  const bodies = Object.entries(content).map(
    ([type, body]) =>
      `<code>${escapeHtml(type)}</code>${typeof body === 'object' ? `: <a href="${link(body.name)}">${body.name}</a>` : ''}`,
  );
  const named = Object.entries(headers).map(
    ([name, text]) => `header <code>${escapeHtml(name)}</code>: ${prose(text)}`,
  );
  return [prose(description), ...bodies, ...named].join('<br>');
}

function problemText(code: ProblemCode): string {
  return `<a href="${docsUrl('errors')}#${code}"><code>${code}</code></a> ${problemStatus[code]}`;
}

/** What is sent as the body of a request; null: nothing, or bytes. */
export function requestExample({ body }: Route, schemas: Schemas): unknown {
  if (typeof body !== 'object') return null;
  return requestExamples[body.name] ?? exampleOf(schemas[body.name] ?? {}, schemas);
}

function requestHtml(route: Route, { schemas, publicUrl }: Context): string {
  const { name, method, path, principal, body } = route;
  const token = { key: 'sk_live_…', settings: 'ADMIN_TOKEN', anyone: null, member: null, browser: null }[
    principal
  ];
  const body_ = requestExample(route, schemas);
  const required = parametersOf(route).filter((parameter) => parameter.required);
  const query = required
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => `${parameter.name}=${String(exampleOf(parameter.schema, schemas, parameter.name))}`);
  const address = publicUrl + path.replace(':id', 'ID').replace(/:(\w+)/g, '$1');
  const [mediaType, file] = uploads[name] ?? ['image/png', 'picture.png'];
  const lines = [
    `curl ${query.length === 0 ? address : `'${address}?${query.join('&')}'`}`,
    ...(method === 'get' || (method === 'post' && body) ? [] : [`-X ${method.toUpperCase()}`]),
    ...(token === null ? [] : [`-H 'Authorization: Bearer ${token}'`]),
    ...required
      .filter((parameter) => parameter.in === 'header')
      .map((parameter) => `-H '${parameter.name}: …'`),
    ...(body === 'bytes' ? [`-H 'Content-Type: ${mediaType}'`, `--data-binary @${file}`] : []),
    ...(body_ === null
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body_, null, 2)}'`]),
  ];
  return exampleHtml(lines.join(' \\\n  '), 'Request');
}

function responseHtml({ responses }: Route, { schemas }: Context): string {
  const [first] = responses.filter(({ status }) => status < 300);
  const answer = first?.content?.['application/json'];
  if (typeof answer !== 'object') return '';
  const schema: JsonSchema = schemas[answer.name] ?? {};
  const example = JSON.stringify(exampleOf(schema, schemas), null, 2);
  return `<details><summary>Answer</summary>${exampleHtml(example, `${first?.status} ${answer.name}`)}</details>`;
}
