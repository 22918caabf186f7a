import { expect } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test } from './scene.ts';

test('what a visitor does in the panel is no business of the page around it', async ({ page, openScene }) => {
  await openScene('script-tag');
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    for (const type of ['keydown', 'keypress', 'keyup', 'wheel', 'focusin'])
      document.addEventListener(type, (event) => {
        seen.push(type);
        // As a hotkey library and smooth scrolling do.
        event.preventDefault();
      });
    // As the focus trap of an open modal does.
    document.addEventListener('focusin', () => document.querySelector<HTMLElement>('a[href]')?.focus());
  });
  await page.getByRole('link', { name: 'Help' }).click();
  const chat = chatIn(page);
  await chat.field.click();
  await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.splice(0));
  await page.keyboard.type('/search for s');
  await expect(chat.field).toHaveValue('/search for s');
  await chat.field.hover();
  await page.mouse.wheel(0, 10);
  await expect(chat.field).toBeFocused();
  expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(chat.field).toBeHidden();
});
