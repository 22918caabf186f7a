import { expect } from '@playwright/test';
import { test } from './journey.ts';
import { launcher } from './visitor.ts';

/** What the page or frame may not do. */
const refused = () =>
  ['localStorage', 'sessionStorage', 'BroadcastChannel'].filter((name) => {
    try {
      if (name === 'BroadcastChannel') new BroadcastChannel('a').close();
      else globalThis[name as 'localStorage'].getItem('a');
      return false;
    } catch {
      return true;
    }
  });

test.describe('with cookies blocked', () => {
  test.use({ tabOptions: { blockStorage: 'all' } });

  test('a page has a chat that works, and forgets it', async ({ visitor, openHost }) => {
    await openHost({});
    expect(await visitor.inPage(refused)).toContain('localStorage');
    await visitor.clicks(launcher);
    await visitor.says('When are you open?');
    await visitor.reads('9:00 to 16:00');
    await visitor.says('Refund order 1042');
    await visitor.clicks({ role: 'button', name: 'Approve' });
    await visitor.doesNotSee({ role: 'button', name: 'Approve' });
    await visitor.tab.reload();
    await visitor.clicks(launcher);
    await visitor.reads('Where is order 1042?');
  });
});

test.describe('with the storage of other sites blocked', () => {
  test.use({ tabOptions: { blockStorage: 'embedded' } });

  test('an iframe has a chat that works', async ({ visitor, demo, hostPages }) => {
    const source = `${demo.service}/v1/frame?key=${hostPages.key}`;
    const body = `<iframe src="${source}" title="Chat" width="400" height="600"></iframe>`;
    const address = `${hostPages.origin}${hostPages.add({ body, bare: true })}`;
    await visitor.tab.goto(address.replace('localhost', '127.0.0.1'));
    await visitor.tab.enterFrame(`document.querySelector('iframe')`);
    await visitor.says('When are you open?');
    expect(await visitor.inPage(refused)).toContain('localStorage');
    await visitor.reads('9:00 to 16:00');
  });
});
