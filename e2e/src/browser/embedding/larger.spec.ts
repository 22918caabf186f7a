import { expect } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test } from './scene.ts';

test('the larger window is the same conversation, and a phone’s whole screen stays whole', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await chat.field.fill('half a sentence');
  const panel = page.getByRole('dialog');
  const grow = async (name: string) => {
    await panel.getByLabel('Menu').click();
    await panel.getByRole('button', { name }).click();
  };
  const size = () =>
    panel.evaluate((element) => {
      const { offsetWidth, offsetHeight } = element as HTMLElement;
      return [offsetWidth, offsetHeight];
    });
  expect(await size()).toEqual([400, 684]);
  await page.setViewportSize({ width: 1280, height: 1000 });
  await grow('Larger window');
  await expect.poll(size).toEqual([640, 880]);
  await expect(chat.field).toHaveValue('half a sentence');
  await page.setViewportSize({ width: 390, height: 780 });
  await expect.poll(size).toEqual([390, 780]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await grow('Smaller window');
  await expect.poll(size).toEqual([400, 684]);
});
