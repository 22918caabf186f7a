import { type ProblemCode, problemStatus } from '@parley/protocol/problem';
import type { NamedSchema, Route, RouteResponse } from '@parley/protocol/route';
import { parametersOf } from '@parley/protocol/route-parameters';

export const referenceStyle = `
:root { color-scheme: light dark; --text: #16181d; --quiet: #5b6070; --line: #e3e5ea; --soft: #f5f6f8; --accent: #2563eb; font: 15px/1.5 system-ui, sans-serif; color: var(--text); }
@media (prefers-color-scheme: dark) { :root { --text: #eceef2; --quiet: #a3a8b5; --line: #2b2e36; --soft: #1d1f26; --accent: #8ab0ff; background: #131419; } }
body { margin: 0 auto; max-width: 76rem; padding: 24px 20px 96px; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0 48px; }
@media (min-width: 64rem) { body { grid-template-columns: 20rem minmax(0, 1fr); } nav { position: sticky; top: 24px; align-self: start; max-height: calc(100vh - 48px); overflow: auto; } header { grid-column: 1 / -1; } }
h1 { margin: 16px 0 4px; font-size: 28px; line-height: 1.2; } header p { margin: 0 0 24px; color: var(--quiet); }
nav h2 { margin: 16px 0 4px; font-size: 13px; color: var(--quiet); } nav ul { margin: 0; padding: 0; list-style: none; }
nav a { display: block; padding: 4px 0; font: 12px/18px ui-monospace, monospace; color: inherit; text-decoration: none; overflow-wrap: anywhere; } nav b { color: var(--quiet); font-weight: 400; } nav a:hover { text-decoration: underline; }
main h2 { margin: 48px 0 0; font-size: 20px; } main h2:first-child { margin-top: 8px; }
section { margin-top: 24px; padding: 16px 0 0; border-top: 1px solid var(--line); scroll-margin-top: 16px; }
h3 { margin: 0 0 4px; font: 600 15px ui-monospace, monospace; overflow-wrap: anywhere; } h3 b { display: inline-block; min-width: 4.5rem; color: var(--accent); }
section p { margin: 0 0 8px; color: var(--quiet); }
table { border-collapse: collapse; width: 100%; } th, td { text-align: start; vertical-align: top; padding: 8px 16px 8px 0; border-top: 1px solid var(--line); } th { width: 12rem; font-weight: 400; color: var(--quiet); }
pre { overflow: auto; padding: 16px; border-radius: 12px; background: var(--soft); font-size: 13px; }
code { font-family: ui-monospace, monospace; font-size: .9em; } a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
`;

const credentials = {
  anyone: 'No key.',
  key: 'A secret or publishable key.',
  settings: 'The administration token, or a session of the console.',
  member: 'A session of the console.',
  browser: 'None, and no page of another origin.',
} as const;

/** The whole interface on one page, without a script. */
export function apiReference(document: Readonly<Record<string, unknown>>, routes: readonly Route[]): string {
  const tags = [...new Set(routes.map((route) => route.tag))];
  const names = tags.map((tag) =>
    section(
      tag,
      routes.filter((route) => route.tag === tag),
    ),
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Parley: HTTP reference</title><style>${referenceStyle}</style></head>
<body>
<header><h1>Parley: HTTP reference</h1>
<p>Every call carries <code>Authorization: Bearer &lt;key&gt;</code>. The machine-readable form of this page is <a href="/openapi.json">openapi.json</a>.</p></header>
<nav aria-label="Operations">${tags.map((tag) => contents(tag, routes)).join('')}<ul><li><a href="#errors">Errors</a></li><li><a href="#schemas">Schemas</a></li></ul></nav>
<main>${names.join('')}
<h2 id="errors">Errors</h2>
<table><tr><th>Status</th><th>Code</th></tr>${Object.entries(problemStatus)
    .map(([code, status]) => `<tr><td>${status}</td><td><code>${code}</code></td></tr>`)
    .join('')}</table>
<h2 id="schemas">Schemas</h2>${schemas(document)}
</main></body></html>`;
}

function contents(tag: string, routes: readonly Route[]): string {
  const links = routes
    .filter((route) => route.tag === tag)
    .map(
      ({ name, method, path }) =>
        `<li><a href="#${escape(name)}"><b>${method.toUpperCase()}</b> ${escape(path)}</a></li>`,
    );
  return `<h2>${escape(tag)}</h2><ul>${links.join('')}</ul>`;
}

function section(tag: string, routes: readonly Route[]): string {
  return `<h2>${escape(tag)}</h2>${routes.map(operation).join('')}`;
}

function operation(route: Route): string {
  const { name, method, path, summary, principal, body, responses, problems } = route;
  const parameters = parametersOf(route).filter((parameter) => parameter.in !== 'path');
  const rows = [
    ...parameters.map((parameter) => [
      `<code>${escape(parameter.name)}</code> (${parameter.in})`,
      prose(parameter.description ?? ''),
    ]),
    ...(body ? [['Body', bodyText(body)]] : []),
    ...responses.map((response) => [String(response.status), responseText(response)]),
    ...(problems.length > 0 ? [['Errors', problems.map(problemText).join(', ')]] : []),
  ];
  return `<section id="${escape(name)}"><h3><b>${method.toUpperCase()}</b> ${escape(path)}</h3>
<p>${prose(summary)}. ${route.secretKey ? 'A secret key.' : credentials[principal]}</p>
<table>${rows.map(([left, right]) => `<tr><th scope="row">${left}</th><td>${right}</td></tr>`).join('')}</table></section>`;
}

function bodyText(body: NonNullable<Route['body']>): string {
  if (body === 'bytes') return 'A file, as it is';
  return schemaLink(body) + (body.required ? '' : ', optional');
}

function responseText({ description, content = {}, headers = {} }: RouteResponse): string {
  const bodies = Object.entries(content).map(
    ([type, body]) =>
      `<code>${escape(type)}</code>${typeof body === 'object' ? `: ${schemaLink(body)}` : ''}`,
  );
  const named = Object.entries(headers).map(
    ([name, text]) => `header <code>${escape(name)}</code>: ${prose(text)}`,
  );
  return [prose(description), ...bodies, ...named].join('<br>');
}

function problemText(code: ProblemCode): string {
  return `${problemStatus[code]} <code>${code}</code>`;
}

function schemas(document: Readonly<Record<string, unknown>>): string {
  const { schemas: named = {} } = Object(document['components']) as { schemas?: Record<string, unknown> };
  return Object.entries(named)
    .map(
      ([name, schema]) =>
        `<h3 id="schema-${escape(name)}">${escape(name)}</h3><pre tabindex="0">${escape(JSON.stringify(schema, null, 2))}</pre>`,
    )
    .join('');
}

function schemaLink({ name }: NamedSchema): string {
  return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
}

/** Text whose back-quoted parts are code. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
