import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { build } from 'vite';
import { chatIn } from '../chat.ts';
import { asked } from '../recorded-turns.ts';
import { test as withDemo } from '../running-demo.ts';
import { test } from './landed.ts';
import { examples } from './readme.ts';

const packaged = join(import.meta.dirname, '../../../../packages/widget/dist/npm');

test('the function', async ({ page, landed }) => {
  const [example] = examples('ts', landed.service);
  await landed.open(`<script type="module">
    globalThis.tracked = [];
    const track = (role) => tracked.push(role);
    ${example!}
  </script>`);
  const chat = chatIn(page);
  await expect(chat.field).toBeVisible();
  await chat.say('Hello');
  landed.tell(...asked(1, 'Hello'));
  await expect.poll(() => page.evaluate('tracked')).toEqual(['visitor']);
});

test('the function: in a container, with every call as a method', async ({ page, landed }) => {
  await landed.open('<div id="chat" style="inline-size: 400px; block-size: 500px"></div>');
  await landed.run(`
    const { createWidget } = await import('@parley/widget');
    const container = document.getElementById('chat');
    globalThis.widget = createWidget({ service: '${landed.service}/', key: 'pk_stage', mode: 'inline', container });`);
  await expect(page.locator('#chat').getByRole('region').getByRole('textbox')).toBeVisible();
  const verbs =
    'open close toggle show hide send prefill context tool identify logout update on off destroy'.split(' ');
  expect(
    await page.evaluate((names) => {
      const { widget } = globalThis as unknown as { widget: Record<string, unknown> };
      return names.filter((name) => typeof widget[name] !== 'function');
    }, verbs),
  ).toEqual([]);
  await landed.run('await widget.destroy()');
  await expect(page.locator('#chat')).toBeEmpty();
});

test('the component of React', async ({ page, landed }, info) => {
  const [example] = examples('tsx', landed.service);
  const folder = info.outputPath('page');
  await mkdir(folder, { recursive: true });
  const element = example!.replace('<ParleyChat', 'const chat = <ParleyChat');
  await writeFile(
    join(folder, 'page.tsx'),
    `import { createRoot } from 'react-dom/client';
const track = (role: string) => document.body.setAttribute('data-tracked', role);
${element}
createRoot(document.getElementById('page')!).render(chat);`,
  );
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { '@parley/widget/react': join(packaged, 'react.js') }, dedupe: ['react'] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: join(folder, 'page.tsx'),
        output: { entryFileNames: 'page.mjs', codeSplitting: false },
      },
    },
  });
  await page.route('**/page.mjs', (route) => route.fulfill({ path: join(folder, 'page.mjs') }));
  await landed.open('<div id="page"></div><script type="module" src="/page.mjs"></script>');
  await chatIn(page).say('Hello');
  landed.tell(...asked(1, 'Hello'));
  await expect(page.locator('body')).toHaveAttribute('data-tracked', 'visitor');
});

// oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the pattern.
test('the signature of the tenant’s server', async ({}, info) => {
  const [, example] = examples('ts', '');
  const file = info.outputPath('sign.mjs');
  const code = example!.replace('@parley/widget/server', join(packaged, 'server.js'));
  await writeFile(
    file,
    `const user = { id: 'ada' };
const process = { env: { PARLEY_IDENTITY_SECRET: 'a secret that only two know, thirty-two characters' } };
${code}
export { token };`,
  );
  const { token } = (await import(file)) as { token: string };
  const [header, claims] = token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
  expect(header).toMatchObject({ alg: 'HS256' });
  expect(claims).toMatchObject({ sub: 'ada', aud: 'agt_…', exp: expect.any(Number) });
});

withDemo.describe('from a running service', () => {
  // What Playwright answers a page with has come from no network: the browser asks before it lets that to this machine.
  withDemo.use({ permissions: ['local-network-access'] });

  withDemo('the iframe, and the page that is connected with it', async ({ page, demo }) => {
    const key = await demo.createKey([demo.url]);
    const frame = examples('html', demo.service, key)[4]!;
    const connect = examples('ts', demo.service)[2]!.replace('@parley/widget', '/npm/index.js');
    await page.route('**/npm/**', (route) =>
      route.fulfill({ path: join(packaged, new URL(route.request().url()).pathname.replace('/npm/', '')) }),
    );
    await page.route(`${demo.url}/landed`, (route) =>
      route.fulfill({
        contentType: 'text/html; charset=utf-8',
        body: `<!doctype html><title>A page</title><p id="badge"></p>${frame}<script type="module">
          const iframe = document.querySelector('iframe');
          const badge = document.getElementById('badge');
          const hide = () => (iframe.hidden = true);
          ${connect}
          globalThis.connected = true;
        </script>`,
      }),
    );
    await page.goto(`${demo.url}/landed`);
    const iframe = page.locator('iframe');
    await expect(iframe).toHaveAttribute('style', /height: \d+px/);
    expect(await page.evaluate('connected')).toBe(true);
    const chat = chatIn(page.frameLocator('iframe'));
    await chat.say('When are you open?');
    // The page has said that it cannot be seen.
    await expect(page.locator('#badge')).toHaveText('1');
    await chat.field.press('Escape');
    await expect(iframe).toBeHidden();
  });

  withDemo('a pinned version with its hash', async ({ page, demo }) => {
    const manifest = (await (await fetch(`${demo.service}/v1/manifest.json`)).json()) as {
      versions: Record<string, { integrity: string }>;
    };
    const { integrity } = manifest.versions['0.1.0']!;
    const key = await demo.createKey([demo.url]);
    const tag = examples('html', demo.service, key)[5]!.replace('sha384-…', integrity);
    await page.route(`${demo.url}/landed`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>A page</title>${tag}` }),
    );
    await page.goto(`${demo.url}/landed`);
    await page.locator('.launcher').click();
    await chatIn(page).say('When are you open?');
    await expect(chatIn(page).log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  });
});
