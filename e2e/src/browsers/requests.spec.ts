import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { heard } from '../browser/chat.ts';
import { picture } from '../browser/picture.ts';
import { test } from './journey.ts';
import { launcher } from './visitor.ts';

test.beforeEach(async ({ visitor, demo }) => {
  await visitor.tab.goto(`${demo.url}/fernhill/`);
  await visitor.clicks(launcher);
});

test('an approval outlives a reload, and one click gives it', async ({ visitor }) => {
  await visitor.says('Refund order 1057');
  await visitor.sees({ role: 'button', name: 'Approve' });
  await visitor.tab.reload();
  await visitor.clicks({ role: 'button', name: 'Approve' });
  await visitor.doesNotSee({ role: 'button', name: 'Approve' });
  await visitor.reads('order 1057');
});

/** Between a group's title and what it asks, and after that. */
const room = (group: HTMLElement) => {
  const [title, first, ...others] = [...group.children].filter(
    (each) => each.getBoundingClientRect().height > 0,
  );
  const bottom = [first, ...others].at(-1)!.getBoundingClientRect().bottom;
  return {
    above: Math.round(first!.getBoundingClientRect().top - title!.getBoundingClientRect().bottom),
    below: Math.round(group.getBoundingClientRect().bottom - bottom),
  };
};

test('a question is answered by one click', async ({ visitor }) => {
  await visitor.says('Which bike suits me?');
  await visitor.reads('On gravel');
  const question = { role: 'group', name: 'Where will you ride most?' } as const;
  expect(await visitor.with(question, room)).toEqual({ above: 12, below: 0 });
  await visitor.clicks({ role: 'button', name: 'On gravelForest roads and bad lanes' });
  await visitor.reads('For gravel tracks I would try two bikes');
});

test('a form: what is missing is said beside its field, and what is given is read back', async ({
  visitor,
  script,
}) => {
  const fields = [
    { name: 'name', label: 'Your name', required: true },
    { name: 'day', label: 'Day', type: 'date', required: true },
    { name: 'guests', label: 'Guests', type: 'number', minimum: 1, maximum: 4 },
    { name: 'cabin', label: 'Cabin', type: 'select', options: [{ id: 'c1', label: 'Heron' }] },
    { name: 'terms', label: 'I keep to the house rules', type: 'checkbox', required: true },
  ];
  await script([
    { steps: [{ ask: { prompt: 'Your booking', fields } }, { say: 'I have noted {{result}}.' }] },
  ]);
  await visitor.says('Book a cabin');
  const send = { role: 'button', name: 'Answer' } as const;
  const width = (element: HTMLElement) => element.getBoundingClientRect().width;
  expect(await visitor.with(send, width)).toBe(
    await visitor.with({ role: 'group', name: 'Your booking' }, width),
  );
  expect(await visitor.with({ role: 'group', name: 'Your booking' }, room)).toEqual({ above: 12, below: 0 });
  const fieldsToPull = (group: HTMLElement) =>
    [...group.querySelectorAll('input')].filter((field) => getComputedStyle(field).resize !== 'none').length;
  expect(await visitor.with({ role: 'group', name: 'Your booking' }, fieldsToPull)).toBe(0);
  await visitor.clicks(send);
  const name = { role: 'textbox', name: 'Your name (required)' } as const;
  await visitor.hasFocus(name);
  await visitor.reads('Choose a full date.');
  await visitor.tab.type('Ada');
  const day = { role: 'field', name: 'Day (required)' } as const;
  await visitor.with(day, (field) => {
    // A date is written otherwise in each browser and language.
    (field as HTMLInputElement).value = '2027-12-24';
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  });
  await visitor.writes('2', { role: 'field', name: 'Guests' });
  await visitor.clicks({ role: 'checkbox', name: 'I keep to the house rules (required)' });
  await visitor.clicks(send);
  await visitor.reads('I have noted {"name":"Ada","day":"2027-12-24","guests":2,"terms":true}.');
  await visitor.doesNotSee(send);
});

test('a file is picked, drawn, sent with a message, and still there after a reload', async ({
  visitor,
  script,
}) => {
  await script(heard);
  const folder = await mkdtemp(join(tmpdir(), 'parley-upload-'));
  try {
    const path = join(folder, 'hills.png');
    await writeFile(path, picture(480, 320));
    await visitor.sees({ role: 'button', name: 'Attach files' });
    await visitor.tab.upload(
      `document.querySelector('[data-parley]').shadowRoot.querySelector('input[type=file]')`,
      path,
    );
    await visitor.reads('hills.png', { role: 'dialog' });
    await visitor.says('Where is this?');
    await visitor.reads('Heard: Where is this?');
    await visitor.tab.reload();
    await visitor.reads('Heard: Where is this?');
    await expect
      .poll(() =>
        visitor.with({ role: 'log' }, (log) =>
          [...log.querySelectorAll('canvas, img')].some((drawn) => drawn.getBoundingClientRect().width > 20),
        ),
      )
      .toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
