import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createConversation } from '@parley/conversation';
import { createElement, type ComponentType } from 'react';
import { renderToString } from 'react-dom/server';
import { build } from 'vite';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createAgent, type RunningServer, startServer, type TestAgent } from '../server.ts';

const folder = join(import.meta.dirname, '../../../packages/conversation');
let server: RunningServer;
let agent: TestAgent;

beforeAll(async () => {
  server = await startServer();
  agent = await createAgent(server, [{ steps: [{ say: 'Heard: {{input}}' }] }]);
});

afterAll(() => server?.stop());

test.each(['plain.js', 'react.tsx'])('the README shows %s as it is', async (name) => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  expect(readme).toContain(await readFile(join(folder, 'examples', name), 'utf8'));
});

test('TypeScript checks the example in React, and what it imports, with the settings of the README', async () => {
  const readme = await readFile(join(folder, 'README.md'), 'utf8');
  const [, settings = ''] = /^```json\n(.*?)\n```$/ms.exec(readme) ?? [];
  const { compilerOptions } = JSON.parse(settings) as { compilerOptions: object };
  // Where it finds the packages, as in a project that has them.
  const project = await mkdtemp(join(import.meta.dirname, '../../node_modules/.typescript-'));
  onTestFinished(() => rm(project, { recursive: true }));
  await cp(join(folder, 'examples/react.tsx'), join(project, 'react.tsx'));
  const others = {
    target: 'ES2023',
    module: 'ESNext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    types: [],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...others, ...compilerOptions }, files: ['react.tsx'] }),
  );
  const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--project', project], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});

test('the example in plain JavaScript talks to the service, and ends with its input', async () => {
  const chat = spawn(process.execPath, [join(folder, 'examples/plain.js'), server.url, agent.publishableKey]);
  let output = '';
  let errors = '';
  chat.stdout.on('data', (data) => (output += String(data)));
  chat.stderr.on('data', (data) => (errors += String(data)));
  const ended = new Promise<number | null>((resolve) => chat.on('close', resolve));
  chat.stdin.write('Hello\nAnd again\n');
  await vi.waitFor(
    () => expect(output + errors).toBe('Agent: Heard: Hello\nAgent: Heard: And again\n'),
    30_000,
  );
  chat.stdin.end();
  expect(await ended).toBe(0);
});

test('the example in React is built, and renders a conversation', async () => {
  const out = await mkdtemp(join(import.meta.dirname, '../../node_modules/.chat-example-'));
  onTestFinished(() => rm(out, { recursive: true }));
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir: out,
      minify: false,
      lib: { entry: join(folder, 'examples/react.tsx'), formats: ['es'], fileName: 'chat' },
      rolldownOptions: { external: [/^react/] },
    },
  });
  const { Thread } = (await import(/* @vite-ignore */ join(out, 'chat.js'))) as {
    Thread: ComponentType<{ conversation: unknown }>;
  };
  const conversation = createConversation({ baseUrl: server.url, key: agent.publishableKey });
  onTestFinished(conversation.dispose);
  conversation.send('Hello');
  await vi.waitFor(
    () => expect(conversation.transcript.value.turns.at(-1)?.status).toBe('completed'),
    30_000,
  );
  const html = renderToString(createElement(Thread, { conversation }));
  expect(html).toContain('Heard: Hello');
  expect(html).not.toContain('Stop');
});
