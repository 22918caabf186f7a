import { expect } from '@playwright/test';
import { numberedWords } from '../browser/chat.ts';
import { test } from './journey.ts';
import { launcher, messageField, type Visitor } from './visitor.ts';

const openFernhill = async (visitor: Visitor, demo: { url: string }) => {
  await visitor.tab.goto(`${demo.url}/fernhill/`);
  await visitor.clicks(launcher);
  await visitor.hasFocus(messageField);
};

test('load, open, send and read, reload, close and open again', async ({ visitor, demo }) => {
  await openFernhill(visitor, demo);
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
  await visitor.tab.reload();
  await visitor.reads('9:00 to 16:00');
  await visitor.clicks({ role: 'button', name: 'Close' });
  await visitor.doesNotSee({ role: 'dialog' });
  await visitor.tab.reload();
  await visitor.clicks(launcher);
  await visitor.reads('9:00 to 16:00');
});

test('an answer is read while it is written, and stopped', async ({ visitor, demo, script }) => {
  await script([{ steps: [{ say: numberedWords(2_000), delayMs: 50 }] }]);
  await openFernhill(visitor, demo);
  await visitor.says('Count');
  await visitor.reads('w9');
  await visitor.clicks({ role: 'button', name: 'Stop' });
  await visitor.reads('Stopped');
  expect(await visitor.with({ role: 'log' }, (log) => log.textContent)).not.toContain('w2000');
  await visitor.sees({ role: 'button', name: 'Send' });
});

test('the keyboard alone: open, ask, approve, close', async ({ visitor, demo }) => {
  await visitor.tab.goto(`${demo.url}/scenes/calm.html`);
  await visitor.sees(launcher);
  await visitor.with(launcher, (element) => element.focus());
  await visitor.presses('Enter');
  await visitor.hasFocus(messageField);
  await visitor.tab.type('Refund order 1063');
  await visitor.presses('Enter');
  await visitor.reads('Nothing is paid out before you agree.');
  const decline = { role: 'button', name: 'Decline' } as const;
  await visitor.sees(decline);
  await visitor.with({ role: 'log' }, (log) => log.focus());
  for (let pressed = 0; pressed < 12; pressed++) {
    await visitor.presses('Tab');
    if (
      await visitor.with(decline, (button) => (button.getRootNode() as ShadowRoot).activeElement === button)
    )
      break;
  }
  await visitor.hasFocus(decline);
  await visitor.presses('Enter');
  await visitor.doesNotSee(decline);
  // What is said behind a closed panel would be part of the launcher's name.
  await visitor.reads('The user denied this call.');
  await visitor.presses('Escape');
  await visitor.doesNotSee({ role: 'dialog' });
  await visitor.hasFocus(launcher);
});
