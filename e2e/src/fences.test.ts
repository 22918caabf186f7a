import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** One offending line per fence: where it stands, what it says, and the rule that must refuse it. */
const offences: [file: string, line: string, rule: string][] = [
  ['packages/protocol/src/a.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/protocol/src/b.ts', `import '@parley/client/transcript';`, 'no-restricted-imports'],
  ['packages/protocol/src/c.ts', `import '../../client/src/transcript.ts';`, 'no-restricted-imports'],
  ['packages/client/src/a.ts', `import 'zod';`, 'no-restricted-imports'],
  ['packages/client/src/b.ts', `export { event } from '@parley/protocol/event';`, 'no-restricted-imports'],
  ['packages/client/src/c.ts', `await import('preact');`, 'no-restricted-imports'],
  ['packages/client/src/d.ts', `import '../../widget/src/launcher.ts';`, 'no-restricted-imports'],
  ['packages/client/src/e.ts', `import '@parley/conversation';`, 'no-restricted-imports'],
  ['packages/conversation/src/a.ts', `import 'preact';`, 'no-restricted-imports'],
  ['packages/conversation/src/b.ts', `import '@parley/widget';`, 'no-restricted-imports'],
  ['packages/conversation/src/c.ts', `import '../../widget/src/icon.tsx';`, 'no-restricted-imports'],
  [
    'packages/conversation/src/d.ts',
    `export { event } from '@parley/protocol/event';`,
    'no-restricted-imports',
  ],
  ['packages/conversation/src/e.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/conversation/src/f.ts', `localStorage.clear();`, 'no-restricted-globals'],
  ['packages/conversation/src/g.ts', `document.title = '';`, 'no-restricted-globals'],
  ['packages/conversation/src/tabs/a.ts', `void navigator.locks.query();`, 'no-restricted-globals'],
  ['packages/conversation/src/outbox/a.ts', `setTimeout(() => {});`, 'no-restricted-globals'],
  ['packages/conversation/src/outbox/b.ts', `export const now = Date.now();`, 'no-restricted-properties'],
  ['packages/conversation/src/j.ts', `export const title = globalThis.document;`, 'no-restricted-globals'],
  ['packages/conversation/src/k.ts', `globalThis.localStorage.clear();`, 'no-restricted-globals'],
  ['packages/conversation/src/l.ts', `export const picture = new Image();`, 'no-restricted-globals'],
  ['packages/conversation/src/m.ts', `alert('');`, 'no-restricted-globals'],
  ['packages/conversation/src/n.ts', `export const { href } = self.location;`, 'no-restricted-globals'],
  ['packages/conversation/src/environment.ts', `requestAnimationFrame(() => {});`, 'no-restricted-globals'],
  ['packages/conversation/src/h.ts', `export type { B } from './i.ts';\nexport type A = 1;`, 'no-cycle'],
  ['packages/conversation/src/i.ts', `import type { A } from './h.ts';\nexport type B = A;`, 'no-cycle'],
  ['packages/widget/src/h.ts', `import '@parley/conversation/transcript';`, 'no-restricted-imports'],
  ['packages/widget/src/i.ts', `import '../../conversation/src/conversation.ts';`, 'no-restricted-imports'],
  ['packages/widget/src/thread/a.ts', `import '../entries/cards.ts';`, 'no-restricted-imports'],
  [
    'packages/widget/src/parts/tool/a.ts',
    `import type {} from '../../entries/cards.ts';`,
    'no-restricted-imports',
  ],
  ['packages/widget/src/thread/b.ts', `import '@parley/client/session-client';`, 'no-restricted-imports'],
  ['packages/widget/src/ui/a.ts', `import '../shell/show-teaser.ts';`, 'no-restricted-imports'],
  ['packages/widget/src/i18n/a.ts', `import '../shell/show-teaser.ts';`, 'no-restricted-imports'],
  ['packages/widget/src/i18n/b.ts', `import '@parley/client/session-client';`, 'no-restricted-imports'],
  ['packages/widget/src/ui/b.ts', `import '../entries/cards.ts';`, 'no-restricted-imports'],
  ['packages/widget/src/entries/a.ts', `import 'zod';`, 'no-restricted-imports'],
  ['packages/widget/src/a.ts', `import 'zod';`, 'no-restricted-imports'],
  ['packages/widget/src/b.ts', `export { event } from '@parley/protocol/event';`, 'no-restricted-imports'],
  ['packages/widget/src/c.ts', `import 'node:fs';`, 'no-restricted-imports'],
  ['packages/widget/src/d.ts', `import '../../../apps/server/src/service.ts';`, 'no-restricted-imports'],
  ['packages/widget/src/e.ts', `document.body.innerHTML = '';`, 'no-restricted-properties'],
  [
    'packages/widget/src/f.ts',
    `document.body.insertAdjacentHTML('beforeend', '');`,
    'no-restricted-properties',
  ],
  [
    'packages/widget/src/g.tsx',
    `export const a = <p dangerouslySetInnerHTML={{ __html: '' }} />;`,
    'no-danger',
  ],
  ['apps/console/src/a.ts', `import '@parley/conversation/reduce-turns';`, 'no-restricted-imports'],
  ['apps/console/src/b.ts', `import '../../../packages/widget/src/icon.tsx';`, 'no-restricted-imports'],
  ...(
    [
      ['packages/client/src', 'g', 'h'],
      ['apps/server/src/store', 'c', 'd'],
      ['apps/console/src', 'c', 'd'],
    ] as const
  ).flatMap(([folder, one, other]): [string, string, string][] => [
    [`${folder}/${one}.ts`, `export type { B } from './${other}.ts';\nexport type A = 1;`, 'no-cycle'],
    [`${folder}/${other}.ts`, `import type { A } from './${one}.ts';\nexport type B = A;`, 'no-cycle'],
  ]),
  ['apps/demo/src/a.ts', `import '../../server/src/service.ts';`, 'no-restricted-imports'],
  ['e2e/src/a.ts', `import '@parley/server/service';`, 'no-restricted-imports'],
  ['apps/server/src/a.ts', `await fetch('http://localhost');`, 'no-restricted-globals'],
  ['apps/server/src/b.ts', `await globalThis.fetch('http://localhost');`, 'no-restricted-properties'],
  ['apps/server/src/c.ts', `import 'undici';`, 'no-restricted-imports'],
  ['apps/server/src/d.ts', `export { request } from 'node:http';`, 'no-restricted-imports'],
  ['apps/server/src/f.ts', `export { connect } from 'node:net';`, 'no-restricted-imports'],
  ['apps/server/src/e.ts', `import '@parley/client/sessions';`, 'no-restricted-imports'],
  ['apps/server/src/tool/a.ts', `import 'node:https';`, 'no-restricted-imports'],
  ['apps/server/src/tool/b.ts', `await fetch('http://localhost');`, 'no-restricted-globals'],
  ['apps/server/src/tool/c.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/model/a.ts', `import '../session/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/model/providers/a.ts', `import '../../store/store.ts';`, 'no-restricted-imports'],
  ['apps/server/src/http/a.ts', `import '../store/sqlite/sqlite-store.ts';`, 'no-restricted-imports'],
  ['apps/server/src/http/b.ts', `import '../model/scripted/scripted.ts';`, 'no-restricted-imports'],
  ['apps/server/src/http/c.ts', `import { Router } from 'express';\nRouter();`, 'no-restricted-imports'],
  ['apps/server/src/approval/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/ready-mail/a.ts', `import '../turn/run-turn.ts';`, 'no-restricted-imports'],
  ['apps/server/src/contact/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/composio/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/sign-in/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/search/a.ts', `import '../session/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/knowledge/a.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/webhook/a.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/a.ts', `import 'express';`, 'no-restricted-imports'],
  ['apps/server/src/turn/b.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/c.ts', `import '../model/ai-sdk.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/d.ts', `import '../tool/http/http-tool.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/e.ts', `import '../tool/question/ask-question.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/f.ts', `import '../tool/registry.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/prompt/b.ts', `import '../../tool/a-kind/source.ts';`, 'no-restricted-imports'],
  ['apps/server/src/session/a.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/session/b.ts', `import '../store/sqlite/sqlite-store.ts';`, 'no-restricted-imports'],
  ['apps/server/src/events/a.ts', `import '../session/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/events/b.ts', `import 'express';`, 'no-restricted-imports'],
  ['apps/server/src/bus/a.ts', `import '../events/subscribe.ts';`, 'no-restricted-imports'],
  ['apps/server/src/session/c.ts', `import '../model/model.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/e.ts', `import type {} from 'ai';`, 'no-restricted-imports'],
  ['apps/server/src/session/d.ts', `import type {} from '@ai-sdk/provider';`, 'no-restricted-imports'],
  ['apps/server/src/model/b.ts', `import type {} from 'ai';`, 'no-restricted-imports'],
  ['apps/server/src/testing/a.ts', `import type {} from 'ai';`, 'no-restricted-imports'],
  ['apps/server/src/egress/b.ts', `import 'ai';`, 'no-restricted-imports'],
  ['apps/server/src/turn/e.test.ts', `import type {} from 'ai';`, 'no-restricted-imports'],
  ['apps/server/src/session/state/a.ts', `import '../../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/turn/prompt/a.ts', `import '../../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/http/sessions/a.ts', `import '../../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/auth/a.ts', `import '../http/sessions/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/auth/b.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/jobs/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/settings/b.ts', `import '../session/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/store/sqlite/a.ts', `import '../../session/sessions.ts';`, 'no-restricted-imports'],
  ['apps/server/src/egress/a.ts', `import '../settings/agent.ts';`, 'no-restricted-imports'],
  ['apps/server/src/settings/a.ts', `import '../http/app.ts';`, 'no-restricted-imports'],
  ['apps/server/src/limit/a.ts', `import '../turn/scheduler.ts';`, 'no-restricted-imports'],
  ['apps/server/src/crypto/a.ts', `import '../settings/agent.ts';`, 'no-restricted-imports'],
];

/** Lines right beside a fence, which it must let pass. */
const permitted: [file: string, line: string][] = [
  ['packages/protocol/src/ok.ts', `import 'zod';\nimport './event.ts';`],
  [
    'packages/client/src/ok.ts',
    `import type {} from '@parley/protocol/event';\nimport '@parley/protocol/visitor-paths';`,
  ],
  [
    'packages/conversation/src/ok.ts',
    `import type {} from '@parley/protocol/event';\nimport '@parley/client/follow';\nimport '@preact/signals-core';`,
  ],
  ['packages/widget/src/thread/ok.ts', `import '@parley/client/error';\nimport '../ui/icon.tsx';`],
  ['packages/widget/src/ui/ok.ts', `import '../widget-context.ts';\nimport '../i18n/labels.ts';`],
  ['packages/widget/src/entries/ok.ts', `import './cards.ts';\nimport '../thread/log.tsx';`],
  [
    'packages/widget/src/ok.ts',
    `import type {} from '@parley/protocol/event';\nimport '@parley/conversation';\nimport 'preact';`,
  ],
  [
    'apps/server/src/ok.ts',
    `import './store/sqlite/sqlite-store.ts';\nexport { createServer } from 'node:http';`,
  ],
  ['apps/server/src/egress/ok.ts', `import 'undici';\nawait fetch('http://localhost');`],
  ['apps/server/src/http/ok.ts', `import type {} from 'express';\nimport '../session/sessions.ts';`],
  ['apps/server/src/http/mount.ts', `import 'express';`],
  [
    'apps/server/src/turn/ok.ts',
    `import '../session/sessions.ts';\nimport '../model/model.ts';\nimport '../tool/tool.ts';\nimport type {} from '../tool/source.ts';\nimport '../tool/schema/arguments-schema.ts';`,
  ],
  [
    'apps/server/src/auth/ok.ts',
    `import 'express';\nimport '../http/problem.ts';\nimport type {} from '../http/middleware/cors.ts';`,
  ],
  ['apps/server/src/settings/ok.ts', `import '../tool/http/tool-secrets.ts';`],
  ['apps/server/src/jobs/ok.ts', `import '../session/sessions.ts';`],
  ['apps/server/src/session/ok.ts', `import '../store/store.ts';\nimport '../model/message.ts';`],
  ['apps/server/src/session/state/ok.ts', `import '../../model/message.ts';`],
  ['apps/server/src/model/ok.ts', `import '@ai-sdk/provider';`],
  ['apps/server/src/model/ok.test.ts', `import 'ai';`],
  ['apps/server/src/turn/ok.test.ts', `import '../service.ts';`],
];

let folder: string;
let refused: Map<string, string[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-fences-'));
  await cp(join(root, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  for (const [file, line] of [...offences, ...permitted]) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await writeFile(join(folder, file), `${line}\n`);
  }
  refused = await lint(folder);
});

afterAll(() => rm(folder, { recursive: true }));

test.each(offences)('%s may not say %s', (file, _line, rule) => {
  expect(refused.get(file)).toEqual([rule]);
});

test.each(permitted)('%s may say %s', (file) => {
  expect(refused.get(file)).toBeUndefined();
});

test('the widget has no way to turn text into HTML', async () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|srcdoc|document\.write|DOMParser|createContextualFragment/i;
  const source = join(root, 'packages/widget/src');
  const files = await readdir(source, { recursive: true });
  const code = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(code.length).toBeGreaterThan(0);
  for (const file of code) expect(await readFile(join(source, file), 'utf8'), file).not.toMatch(sinks);
});

test('what is stored of a session is read by its schema, never taken for a state', async () => {
  const source = join(root, 'apps/server/src');
  const files = await readdir(source, { recursive: true });
  const code = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  expect('JSON.parse(row.state) as SessionState').toMatch(asState);
  for (const file of code) expect(await readFile(join(source, file), 'utf8'), file).not.toMatch(asState);
});
const asState = /\bas (Partial<|Readonly<)?SessionState\b/;

async function lint(cwd: string): Promise<Map<string, string[]>> {
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint');
  const environment = { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` };
  const output = await promisify(execFile)(process.execPath, [oxlint, '--format=json'], {
    cwd,
    env: environment,
  })
    .then(() => '')
    .catch((error: { stdout: string }) => error.stdout);
  const { diagnostics } = JSON.parse(output) as { diagnostics: { filename: string; code: string }[] };
  const rules = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) {
    const rule = /\((.*)\)/.exec(code)?.[1] ?? code;
    rules.set(filename, [...(rules.get(filename) ?? []), rule]);
  }
  return rules;
}
