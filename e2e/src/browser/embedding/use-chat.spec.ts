import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { freePort } from '../../free-port.ts';
import { readExamples } from '../../docs/read-examples.ts';
import { test } from '../running-demo.ts';

test('the server and the page of the documentation’s useChat make a chat', async ({ page, demo }, info) => {
  const folder = info.outputPath('page');
  await mkdir(folder, { recursive: true });
  const port = String(await freePort());
  for (const { title, code } of readExamples().get('use-chat') ?? [])
    if (title.includes('.'))
      await writeFile(
        join(folder, title),
        code.replaceAll('{{service}}', demo.service).replaceAll('4557', port),
      );
  await writeFile(
    join(folder, 'page.tsx'),
    `import { createRoot } from 'react-dom/client';
     import { Chat } from './Chat.tsx';
     createRoot(document.getElementById('page')).render(<Chat ticket="${crypto.randomUUID()}" />);`,
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: {
        input: join(folder, 'page.tsx'),
        output: { entryFileNames: 'page.mjs', codeSplitting: false },
      },
    },
  });
  await page.route('**/ticket', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Ticket</title><div id="page"></div><script type="module" src="/page.mjs"></script>',
    }),
  );
  await page.route('**/page.mjs', (route) => route.fulfill({ path: join(folder, 'page.mjs') }));

  const server = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { PARLEY_KEY: demo.secretKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(server.stdout, 'data');
    await page.goto(`http://127.0.0.1:${port}/ticket`);
    const say = async (text: string) => {
      await page.getByRole('textbox', { name: 'Your message' }).fill(text);
      await page.getByRole('button', { name: 'Send' }).click();
    };
    await say('My name is Mara');
    await expect(page.getByText('You My name is Mara')).toBeVisible();
    await expect(page.getByText('Fern Nice to meet you, Mara.')).toBeVisible();
    await say('Who am I?');
    await expect(page.getByText('Fern You are **Mara**.')).toBeVisible();
  } finally {
    server.kill();
  }
});
