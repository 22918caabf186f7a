import { expect } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { talk, test } from './scene.ts';

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

test('no event that a page could take for its own leaves the panel, and the page still knows where the focus is', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const { field } = chatIn(page);
  await expect(field).toBeVisible();
  const host = page.locator('[data-parley]');
  await host.evaluate((element) =>
    element.addEventListener('focus', () => element.setAttribute('data-focused', '')),
  );
  await page.locator('body').click({ position: { x: 5, y: 5 } });
  await expect(host).not.toHaveAttribute('data-focused');
  await field.focus();
  await expect(host).toHaveAttribute('data-focused');
  expect(await host.evaluate((element) => element.matches(':focus-within'))).toBe(true);
  const left = await field.evaluate((element) => {
    const types =
      'keydown keypress keyup focusin focusout wheel touchstart touchmove touchend touchcancel'.split(' ');
    return types.filter((type) => {
      let heard = false;
      document.addEventListener(type, () => (heard = true), { once: true });
      element.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
      return heard;
    });
  });
  expect(left).toEqual([]);
});

test('in a modal dialog of the page the chat can be used once it stands there', async ({
  page,
  openScene,
}) => {
  await openScene('calm');
  await expect(page.getByRole('button', { name: 'Chat with Fern' })).toBeVisible();
  await page.evaluate(() => {
    const dialog = document.createElement('dialog');
    dialog.append('Sign up');
    document.body.append(dialog);
    dialog.showModal();
    dialog.append(document.querySelector('[data-parley]')!);
  });
  await talk(page);
});

test('the element’s events have a name that templates of Angular can bind', async ({ page, openScene }) => {
  await openScene('vite');
  const element = page.locator('parley-chat');
  await element.evaluate((chat) => {
    chat.addEventListener('parley-before-send', (event) => {
      if ((event as CustomEvent<{ text: string }>).detail.text.includes('4111')) event.preventDefault();
    });
    document.addEventListener('parley-message', (event) =>
      chat.setAttribute('data-heard', (event as CustomEvent<{ text: string }>).detail.text),
    );
  });
  const field = element.getByRole('textbox', { name: 'Message', exact: true });
  await field.fill('My card is 4111 1111');
  await field.press('Enter');
  await expect(field).toHaveValue('My card is 4111 1111');
  await field.fill('Hello');
  await field.press('Enter');
  await expect(element).toHaveAttribute('data-heard', /./);
});
