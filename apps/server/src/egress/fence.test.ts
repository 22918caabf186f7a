import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '..');

const waysOut: readonly RegExp[] = [
  /(?<![.\w])fetch\s*\(/,
  /\bglobalThis\s*(?:\.\s*fetch\b|\[)(?<!typeof globalThis\.fetch)/,
  /\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/,
  /from\s+'(?:undici|(?:node:)?(?:tls|dgram|http2|dns|dns\/promises))'/,
  /import\s+(?!type\b)(?:\w+|\*\s*as\s+\w+|\{[^}]*\b(?:request|get|connect|createConnection|Agent|Socket)\b[^}]*\})\s+from\s+'(?:node:)?(?:http|https|net)'/,
  /(?<!')\b(?:https?|net|tls)\s*\.\s*(?:request|get|connect|createConnection|Socket)\b/,
  /\b(?:require|import)\s*\(\s*'(?:undici|(?:node:)?(?:https?|http2|net|tls|dgram))'/,
];

function violations(text: string): string[] {
  // A parameter of that name is the fetch somebody was handed, not the global one.
  const judged = /\(\s*fetch\s*:/.test(text) ? text.replaceAll(/(?<![.\w])fetch\s*\(/g, '') : text;
  return waysOut.flatMap((pattern) => pattern.exec(judged)?.[0] ?? []);
}

test('nothing outside of egress opens a connection', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !/(?:\.test|(?:^|\/)testing\/[\w-]+)\.ts$/.test(file) &&
      !file.startsWith('egress/'),
  );
  expect(files.length).toBeGreaterThan(10);
  const found = files.flatMap((file) =>
    violations(readFileSync(join(source, file), 'utf8')).map((match) => `${file}: ${match}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'await fetch(url)',
  'const f = globalThis.fetch;',
  "globalThis['fetch'](url)",
  "import { request } from 'undici';",
  "import { createServer, request } from 'node:http';",
  "import * as http from 'node:http';",
  "import https from 'https';",
  "import { connect } from 'node:net';",
  "import { connect } from 'node:tls';",
  "await import('undici')",
  'http.get(url)',
  'new WebSocket(url)',
])('the fence sees %s', (line) => {
  expect(violations(line)).not.toEqual([]);
});

test.each([
  "import { createServer, type Server } from 'node:http';",
  "import type { Socket } from 'node:net';",
  "import { isIPv4 } from 'node:net';",
  'createOpenAI({ fetch: egress.fetch })',
  'await egress.fetch(url)',
  'const bounded = (fetch: typeof globalThis.fetch) => (url: string) => fetch(url);',
  'fetch: typeof globalThis.fetch;',
])('the fence lets %s pass', (line) => {
  expect(violations(line)).toEqual([]);
});
