import { expect } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { identify, identitySecret, sign } from '../visitor-token.ts';
import { talk, test } from './scene.ts';

test.beforeEach(({ demo }) => demo.configure({ identity: { secret: identitySecret } }));

test('an anonymous conversation becomes the visitor’s; another visitor does not see it', async ({
  page,
  demo,
  openScene,
}) => {
  await openScene('calm');
  const chat = await talk(page);
  await identify(page, sign('ada', demo.agentId));
  const table = chat.log.getByRole('cell', { name: '9:00 to 16:00' });
  await expect(table).toBeVisible();
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await chat.say('My name is Ada');
  expect((await sent).headers()['x-parley-visitor-token']).toContain('.');
  await expect(chat.log).toContainText('Nice to meet you, Ada');

  await identify(page, sign('eve', demo.agentId));
  await expect(table).toHaveCount(0);
  await expect(chat.log).not.toContainText('Ada');
  await chat.say('Who am I?');
  await expect(chat.log.getByRole('button', { name: 'Copy' })).toBeVisible();
  await expect(chat.log).not.toContainText('You are Ada');
});

test('where visitors have to be known, a call from before the panel says who it is', async ({
  page,
  demo,
  openScene,
}) => {
  await demo.configure({ identity: { secret: identitySecret, required: true } });
  try {
    await openScene('calm');
    await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
    await identify(page, sign('lin', demo.agentId));
    await talk(page);
    await expect(chatIn(page).log).toContainText('9:00 to 16:00');
  } finally {
    await demo.configure({ identity: { secret: identitySecret, required: false } });
  }
});
