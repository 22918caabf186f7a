import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { chatIn } from '../chat.ts';
import { startMockService } from '../mock-service.ts';

const widget = join(import.meta.dirname, '../../../../packages/widget');

/** The component of the widget's README, with this service. */
const readmeExample = async (service: string) => {
  const [, example] = /```tsx\n(.*?)```/s.exec(await readFile(join(widget, 'README.md'), 'utf8'))!;
  return example!.replace('https://SERVICE', service);
};

/** Bundles a page's module for a server or, with React's warnings, for a browser. */
const bundle = (folder: string, name: string, ssr: boolean) =>
  build({
    root: folder,
    configFile: false,
    mode: 'development',
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: { '@parley/widget/react': join(widget, 'dist/npm/react.js') }, dedupe: ['react'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      ssr,
      rolldownOptions: {
        input: join(folder, `${name}.tsx`),
        output: { entryFileNames: `${name}.mjs`, codeSplitting: false },
      },
    },
  });

test('the README’s React component is rendered on a server, and hydrated where it is already an element', async ({
  page,
}, info) => {
  const mock = await startMockService({});
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  try {
    const folder = info.outputPath('page');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'support.tsx'), await readmeExample(mock.url));
    await writeFile(
      join(folder, 'server.tsx'),
      `import { renderToString } from 'react-dom/server';
       import { Support } from './support.tsx';
       export const html = renderToString(<Support />);`,
    );
    await writeFile(
      join(folder, 'browser.tsx'),
      `import { hydrateRoot } from 'react-dom/client';
       import { Support } from './support.tsx';
       hydrateRoot(document.getElementById('page'), <Support />);`,
    );
    await bundle(folder, 'server', true);
    await bundle(folder, 'browser', false);
    const { html } = (await import(pathToFileURL(join(folder, 'server.mjs')).href)) as { html: string };
    expect(html).toBe('<parley-chat></parley-chat>');

    await page.route('**/rendered', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><title>Rendered</title><div id="page">${html}</div><script type="module" src="/browser.mjs"></script>`,
      }),
    );
    await page.route('**/browser.mjs', (route) => route.fulfill({ path: join(folder, 'browser.mjs') }));
    await page.goto(`${mock.url}rendered`);
    await expect(chatIn(page).field).toBeVisible();
    expect(faults).toEqual([]);
  } finally {
    await mock.close();
  }
});
