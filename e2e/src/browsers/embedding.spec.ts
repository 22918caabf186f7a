import { expect } from '@playwright/test';
import { nonce } from './host-pages.ts';
import { test } from './journey.ts';
import { launcher, messageField } from './visitor.ts';

test('a strict policy with Trusted Types: nothing of the chat is against it', async ({
  visitor,
  openHost,
  demo,
}) => {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    'img-src data:',
    `connect-src ${demo.service}`,
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
  await openHost({ policy });
  await visitor.clicks(launcher);
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
  await visitor.says('Which bike suits me?');
  await visitor.reads('On gravel');
});

test('a pinned loader with hashes', async ({ visitor, demo }) => {
  await visitor.tab.goto(`${demo.url}/scenes/strict.html`);
  await visitor.clicks(launcher);
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
});

test('the iframe of another site: a conversation, its approval, and the conversation again after a reload', async ({
  visitor,
  demo,
  hostPages,
}) => {
  const source = `${demo.service}/v1/frame?key=${hostPages.key}`;
  const body = `<iframe src="${source}" title="Chat" width="400" height="600" allow="clipboard-write"></iframe>`;
  const path = hostPages.add({ body, bare: true });
  await visitor.tab.goto(`${hostPages.origin.replace('localhost', '127.0.0.1')}${path}`);
  const frame = `document.querySelector('iframe')`;
  await visitor.tab.enterFrame(frame);
  await visitor.says('Refund order 1042');
  await visitor.clicks({ role: 'button', name: 'Approve' });
  await visitor.doesNotSee({ role: 'button', name: 'Approve' });
  await visitor.tab.leaveFrame();
  await visitor.tab.reload();
  await visitor.tab.enterFrame(frame);
  await visitor.reads('order 1042');
});

test('the element of the npm package', async ({ visitor, demo }) => {
  await visitor.tab.goto(`${demo.url}/apps/vite.html`);
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
});

test('right to left: launcher and panel stand on the left, and the words are Arabic', async ({
  visitor,
  demo,
}) => {
  await visitor.tab.goto(`${demo.url}/scenes/rtl.html`);
  const arabic = { role: 'button', name: 'تحدث مع فيرن' } as const;
  await visitor.clicks(arabic);
  const left = (element: HTMLElement) => element.getBoundingClientRect().left;
  expect(await visitor.with({ role: 'dialog' }, left)).toBeLessThan(100);
  expect(await visitor.with(arabic, left)).toBeLessThan(100);
  const direction = (element: HTMLElement) => getComputedStyle(element).direction;
  expect(await visitor.with({ role: 'dialog' }, direction)).toBe('rtl');
});

test('hotkeys of the page do not hear what is written', async ({ visitor, openHost }) => {
  await openHost({
    head: `<script>addEventListener('keydown', ({ key }) => { if (key === '/') faults.push('hotkey'); });</script>`,
  });
  await visitor.clicks(launcher);
  await visitor.says('/ are you open?');
  await visitor.reads('9:00 to 16:00');
});

test('in a modal dialog of the page the chat can be used once it stands there', async ({
  visitor,
  openHost,
}) => {
  await openHost({ body: '<dialog><p>Subscribe?</p></dialog>' });
  await visitor.clicks(launcher);
  await visitor.hasFocus(messageField);
  await visitor.inPage(() => {
    const dialog = document.querySelector('dialog')!;
    dialog.showModal();
    dialog.append(document.querySelector('[data-parley]')!);
  });
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
});
