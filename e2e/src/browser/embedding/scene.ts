import { expect, type Page } from '@playwright/test';
import { chatIn } from '../chat.ts';
import { test as base } from '../resilience/resilience.ts';

interface Scene {
  /** Opens a scene of the demo by the last part of its address. */
  openScene: (name: string) => Promise<void>;
}

const apps = new Set(['vite', 'react', 'frame']);

/** A page on which every violation of its content security policy, and every error, fails the test. */
export const test = base.extend<Scene>({
  openScene: async ({ page, demo }, use) => {
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
        console.error(`violation of ${violatedDirective} by ${blockedURI} ${sample}`);
      });
    });
    await use(async (name) => {
      await page.goto(`${demo.url}/${apps.has(name) ? 'apps' : 'scenes'}/${name}.html`);
    });
    expect(faults).toEqual([]);
  },
});

/** Opens the launcher's panel and has one answer with a table streamed into it. */
export async function talk(page: Page, launcher = 'Chat with Fern') {
  await page.getByRole('button', { name: launcher, exact: true }).click();
  const chat = chatIn(page);
  await chat.say('When are you open?');
  await expect(chat.log.getByRole('cell', { name: '9:00 to 16:00' })).toBeVisible();
  return chat;
}
