import { expect, test } from '@playwright/test';
import { startMockService } from './mock-service.ts';
import { enter, states } from './states.ts';

test('an answer has its sources as links under it', async ({ page }) => {
  const state = states['an answer with its sources']!;
  const mock = await startMockService(state);
  await enter(page, mock.url, state);
  const sources = page.getByRole('list', { name: 'Sources' });
  await expect(sources.getByRole('listitem')).toHaveText([
    '1 Opening hours',
    '2 Holidays',
    /^4 Handbook for new colleagues/,
  ]);
  await expect(sources.getByRole('link')).toHaveCount(2);
  const first = sources.getByRole('link', { name: 'Opening hours' });
  await expect(first).toHaveAttribute('href', 'https://fernhill.example/hours');
  await expect(first).toHaveAttribute('rel', 'noopener noreferrer');
  const [list, longest] = await Promise.all([
    sources.boundingBox(),
    sources.getByRole('listitem').nth(2).boundingBox(),
  ]);
  expect(longest!.width).toBeLessThanOrEqual(list!.width);
  await mock.close();
});
