import { expect } from '@playwright/test';
import { startMockService } from './mock-service.ts';
import { ended, event, step, turn } from './recorded-turns.ts';
import { test } from './stage.ts';
import { enter, states } from './states.ts';

test('a person has their own picture or their initials, and never the agent’s picture', async ({ stage }) => {
  const state = states['a person without a picture writes']!;
  const mock = await startMockService(state);
  await enter(stage, mock.url, state);
  const header = stage.locator('.header .avatar');
  await expect(header).toHaveText('GH');
  await expect(stage.locator('.speaker .avatar')).toHaveText(['GH']);
  await expect(stage.locator('img.avatar')).toHaveCount(0);
  const author = { kind: 'team', name: 'Alan', avatarUrl: `${mock.url}/no-picture.png` };
  mock.write(event('team.joined', { ...turn(3), author }));
  mock.write(event('turn.started', { ...turn(4), author }));
  const message = { message: 'Alan here.', finishReason: 'stop' };
  mock.write(event('message.completed', { ...step(4), author, ...message }));
  for (const each of ended(4)) mock.write(each);
  // What does not load is no picture.
  await expect(header).toHaveText('A');
  await expect(stage.locator('.speaker .avatar')).toHaveText(['GH', 'A']);
  await expect(stage.locator('img.avatar')).toHaveCount(0);
  await mock.close();
});
