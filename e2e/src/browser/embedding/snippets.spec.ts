import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, type FrameLocator, type Page } from '@playwright/test';
import { build } from 'vite';
import { snippets } from '../../../../apps/console/src/agent/snippets.ts';
import { chatIn, heard } from '../chat.ts';
import { test } from '../running-demo.ts';

const root = join(import.meta.dirname, '../../../..');
const packageFolder = join(root, 'packages/widget/dist/npm');

/** Checks the modules against the types of the package as it is published, as whoever pastes them would. */
async function checkTypes(folder: string, files: readonly string[]): Promise<void> {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2024', 'dom'],
    jsx: 'react-jsx',
    types: [],
    paths: {
      '@parley/widget': [join(packageFolder, 'entries/index.d.ts')],
      '@parley/widget/*': [join(packageFolder, 'entries/*.d.ts')],
    },
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const checked = promisify(execFile)(process.execPath, [compiler, '-p', folder]).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
  expect(await checked).toBe('');
}

const bundle = (folder: string, file: string) =>
  build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        { find: /^@parley\/widget$/, replacement: join(packageFolder, 'index.js') },
        { find: /^@parley\/widget\/(.*)$/, replacement: join(packageFolder, '$1.js') },
      ],
      dedupe: ['react'],
    },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: join(folder, file),
        output: { entryFileNames: `${file}.mjs`, codeSplitting: false },
      },
    },
  });

/** Somebody's website: a page with what they pasted into it, and the modules in the folder. */
async function openSite(folder: string) {
  const pasted = { html: '' };
  const server = createServer(async ({ url = '/' }, response) => {
    const isModule = url.endsWith('.mjs');
    response.writeHead(200, { 'content-type': isModule ? 'text/javascript' : 'text/html; charset=utf-8' });
    response.end(
      isModule ? await readFile(join(folder, url)) : `<!doctype html><title>Page</title>${pasted.html}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, pasted, close: () => server.close() };
}

async function talk(place: Page | FrameLocator, text: string): Promise<void> {
  const chat = chatIn(place);
  await chat.say(text);
  await expect(chat.log).toContainText(`Heard: ${text}`);
}

test('what the console shows for an iframe, a bundler and React is checked, built and run as it is', async ({
  page,
  demo,
  script,
}, info) => {
  await script(heard);
  const folder = info.outputPath('site');
  await mkdir(folder, { recursive: true });
  const site = await openSite(folder);
  try {
    const key = await demo.createKey([site.origin]);
    const codes = new Map(snippets(demo.service, key).map(({ name, text }) => [name, text]));
    const [imports, element] = codes.get('React')!.split('\n\n');
    await writeFile(join(folder, 'npm.ts'), codes.get('npm')!);
    await writeFile(
      join(folder, 'react.tsx'),
      `${imports}
       import { createRoot } from 'react-dom/client';
       const App = () => ${element};
       createRoot(document.getElementById('page')!).render(<App />);`,
    );
    const files = ['npm.ts', 'react.tsx'];
    await Promise.all([checkTypes(folder, files), ...files.map((file) => bundle(folder, file))]);
    for (const file of files) {
      site.pasted.html = `<div id="page"></div><script type="module" src="/${file}.mjs"></script>`;
      await page.goto(site.origin);
      await page.getByRole('button').first().click();
      await talk(page, `By ${file}`);
      // The panel would be open on the next page, too.
      await page.evaluate(() => sessionStorage.clear());
    }
    site.pasted.html = codes.get('Iframe')!;
    await page.goto(site.origin);
    await talk(page.frameLocator('iframe'), 'In a frame');
  } finally {
    site.close();
  }
});
