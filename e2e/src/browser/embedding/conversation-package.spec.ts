import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { test } from '../running-demo.ts';

const packages = join(import.meta.dirname, '../../../../packages');
const names = ['protocol', 'client', 'conversation'];
const npm = (args: readonly string[], cwd: string) => promisify(execFile)('npm', args, { cwd });

type Manifest = { version: string; dependencies?: Record<string, string> };
const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Makes the archive of a package as `pnpm pack` does: with versions for `workspace:` and `catalog:`. */
async function pack(name: string, folder: string): Promise<void> {
  const home = join(packages, name);
  const staged = join(folder, name);
  await cp(join(home, 'src'), join(staged, 'src'), { recursive: true });
  const manifest = await readManifest(home);
  for (const dependency of Object.keys(manifest.dependencies ?? {})) {
    const { version } = await readManifest(join(home, 'node_modules', dependency));
    manifest.dependencies![dependency] = version;
  }
  await writeFile(join(staged, 'package.json'), JSON.stringify(manifest));
  await npm(['pack', '--pack-destination', folder], staged);
}

/** What a registry would give, from where it is here. */
const folderOf = (name: string, from: string) => realpath(join(packages, from, 'node_modules', name));

/** Serves what was built, as a page of its own. */
async function serve(folder: string) {
  const server = createServer(async (request, response) => {
    if (request.url === '/')
      return response
        .setHeader('content-type', 'text/html')
        .end(
          '<!doctype html><title>Own</title><div id="page"></div><script type="module" src="page.mjs"></script>',
        );
    try {
      const code = await readFile(join(folder, request.url ?? ''));
      response.setHeader('content-type', 'text/javascript').end(code);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

test('the packed conversation, in an empty project, is the chat of its README', async ({ page, demo }) => {
  const project = await mkdtemp(join(tmpdir(), 'parley-project-'));
  const { server, origin } = await serve(join(project, 'dist'));
  try {
    const archives = join(project, 'archives');
    await mkdir(archives);
    for (const name of names) await pack(name, archives);
    const packed = (await readdir(archives)).filter((name) => name.endsWith('.tgz'));
    const registry = {
      '@preact/signals-core': await folderOf('@preact/signals-core', 'conversation'),
      zod: await folderOf('zod', 'protocol'),
      react: await folderOf('react', '../apps/demo'),
      'react-dom': await folderOf('react-dom', '../apps/demo'),
    };
    await writeFile(
      join(project, 'package.json'),
      JSON.stringify({
        private: true,
        type: 'module',
        dependencies: Object.fromEntries([
          ...names.map((name) => [
            `@parley/${name}`,
            `file:archives/${packed.find((each) => each.startsWith(`parley-${name}-`))!}`,
          ]),
          ...Object.entries(registry).map(([name, folder]) => [name, `file:${folder}`]),
        ]),
      }),
    );
    await npm(['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts'], project);
    expect(await readdir(join(project, 'node_modules/@parley/conversation'))).toEqual([
      'package.json',
      'src',
    ]);

    const readme = await readFile(join(packages, 'conversation/README.md'), 'utf8');
    await writeFile(join(project, 'chat.tsx'), /```tsx\n([^]+?)```/.exec(readme)![1]!);
    const key = await demo.createKey([origin]);
    await writeFile(
      join(project, 'page.tsx'),
      `import { createRoot } from 'react-dom/client';
       import { Chat } from './chat.tsx';
       createRoot(document.getElementById('page')).render(
         <Chat baseUrl="${demo.service}" publishableKey="${key}" />,
       );`,
    );
    await build({
      root: project,
      base: './',
      configFile: false,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
      build: {
        outDir: join(project, 'dist'),
        rolldownOptions: { input: join(project, 'page.tsx'), output: { entryFileNames: 'page.mjs' } },
      },
    });
    await page.goto(`${origin}/`);
    await page.getByRole('textbox').fill('When are you open?');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText('You: When are you open?')).toBeVisible();
    await expect(page.getByRole('article')).toContainText('9:00 to 16:00');
  } finally {
    server.close();
    await rm(project, { recursive: true });
  }
});
