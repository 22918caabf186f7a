import { type ProblemCode, problemStatus } from '@parley/protocol/problem';
import type { Answer, Route } from '@parley/protocol/route';

export const referenceStyle = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.25rem 6rem; }
nav ul { columns: 2; padding: 0; list-style: none; }
h2 { margin: 3rem 0 0; } h3 { margin: 2rem 0 .25rem; font: 600 1rem ui-monospace, monospace; overflow-wrap: anywhere; }
h3 b { display: inline-block; min-width: 4.5rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid #8884; }
pre { overflow: auto; padding: 1rem; border-radius: .5rem; background: #8881; font-size: .85rem; }
code { font-family: ui-monospace, monospace; }
a { color: inherit; }
`;

const guards = {
  none: 'No key.',
  key: 'A secret or publishable key.',
  admin: 'The administration token.',
} as const;

/** The whole interface on one page, without a script. */
export function referencePage(document: Readonly<Record<string, unknown>>, routes: readonly Route[]): string {
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
<h1>Parley: HTTP reference</h1>
<p>Every call carries <code>Authorization: Bearer &lt;key&gt;</code>. The machine-readable form of this page is <a href="/openapi.json">openapi.json</a>.</p>
<nav><ul>${routes.map((route) => `<li><a href="#${escape(route.name)}">${escape(route.summary)}</a></li>`).join('')}</ul></nav>
<main>${names.join('')}
<h2 id="errors">Errors</h2>
<table><tr><th>Status</th><th>Code</th></tr>${Object.entries(problemStatus)
    .map(([code, status]) => `<tr><td>${status}</td><td><code>${code}</code></td></tr>`)
    .join('')}</table>
<h2>Schemas</h2>${schemas(document)}
</main></body></html>`;
}

function section(tag: string, routes: readonly Route[]): string {
  return `<h2>${escape(tag)}</h2>${routes.map(operation).join('')}`;
}

function operation(route: Route): string {
  const { name, method, path, summary, guard, parameters = [], request, answers, problems } = route;
  const rows = [
    ...parameters.map((parameter) => [
      `<code>${escape(parameter.name)}</code> (${parameter.in})`,
      prose(parameter.description),
    ]),
    ...(request ? [['Body', `${schemaLink(request.body)}${request.required ? '' : ', optional'}`]] : []),
    ...answers.map((answer) => [String(answer.status), answerText(answer)]),
    ...(problems.length > 0 ? [['Errors', problems.map(problemText).join(', ')]] : []),
  ];
  return `<section id="${escape(name)}"><h3><b>${method.toUpperCase()}</b> ${escape(path)}</h3>
<p>${escape(summary)}. ${guards[guard]}</p>
<table>${rows.map(([left, right]) => `<tr><th scope="row">${left}</th><td>${right}</td></tr>`).join('')}</table></section>`;
}

function answerText({ description, content = {}, headers = {} }: Answer): string {
  const bodies = Object.entries(content).map(
    ([type, body]) => `<code>${escape(type)}</code>${body === 'text' ? '' : `: ${schemaLink(body)}`}`,
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

function schemaLink(name: string): string {
  return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
}

/** Text whose back-quoted parts are code. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]*)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
