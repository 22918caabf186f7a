import { expect, test as base } from '@playwright/test';
import { ampleLimits } from '../ample-limits.ts';
import { heard, openFernhill } from './chat.ts';
import { asked, event, turn, waiting } from './recorded-turns.ts';
import { test } from './running-demo.ts';
import { startMockService } from './mock-service.ts';
import { enter } from './states.ts';

test('a limit of the day tells how long it lasts in hours or minutes, never in thousands of seconds', async ({
  page,
  demo,
  script,
}) => {
  await script(heard);
  const chat = await openFernhill(page, demo);
  await chat.say('First');
  await expect(chat.log).toContainText('Heard: First');
  // Fewer than any message takes: what was said before does not count, which another day may have begun after.
  await demo.configure({ limits: { tokensPerDay: 1 } });
  try {
    // The service's own wait depends on when the day began.
    await page.route('**/v1/session/*', async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'retry-after': '40568' };
      await route.fulfill({ response, headers, json: { ...(await response.json()), retryAfter: 40_568 } });
    });
    await chat.say('Second');
    const alert = chat.log.getByRole('alert');
    await expect(alert).toHaveText('Not sent. The assistant has reached its limit for now.');
    await expect(chat.log.getByRole('timer')).toHaveText('Trying again in 12 hours.');
  } finally {
    await demo.configure({ limits: ampleLimits });
  }
});

base('an answer that the limit of the day breaks off says so', async ({ page }) => {
  const failed = { code: 'QUOTA_EXCEEDED', message: 'x' };
  const mock = await startMockService({
    events: [...asked(1, 'Hello'), event('turn.failed', { ...turn(1), ...failed }), waiting],
  });
  try {
    await enter(page, mock.url, { shows: 'The assistant has reached its limit for now.' });
    await expect(page.getByText('could not be completed')).toHaveCount(0);
  } finally {
    await mock.close();
  }
});
