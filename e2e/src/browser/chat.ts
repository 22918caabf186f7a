import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';

/** The conversation as a visitor finds it, by role and name, in a page or in a frame. */
export interface Chat {
  log: Locator;
  field: Locator;
  say(text: string): Promise<void>;
}

export function chatIn(place: Page | FrameLocator): Chat {
  const field = place.getByRole('textbox', { name: 'Message', exact: true });
  return {
    log: place.getByRole('log'),
    field,
    say: async (text) => {
      await field.fill(text);
      await field.press('Enter');
    },
  };
}

/** Opens Fernhill's page and its chat. */
export async function openFernhill(page: Page, demo: { url: string }): Promise<Chat> {
  await page.goto(`${demo.url}/fernhill/`);
  await page.getByRole('button', { name: 'Chat with Fern' }).click();
  const chat = chatIn(page);
  await expect(chat.field).toBeVisible();
  return chat;
}

/** The script of an agent that says what it has heard. */
export const heard = [{ steps: [{ say: 'Heard: {{input}}' }] }];

/** Where a first message is sent. */
export const toBegin = '**/v1/session{,?*}';

/** A first message is answered in JSON, as by a service that does not answer it with the stream. */
export const answerInJson = (page: Page) =>
  page.route(toBegin, (route) =>
    route.continue({ headers: { ...route.request().headers(), accept: 'application/json' } }),
  );

/** The button of the menu in the panel's header. */
export const menuOf = (page: Page) => page.getByRole('dialog').locator('summary[aria-label="Menu"]');

/** A text in which every word occurs once, so that one lost or doubled shows. */
export function numberedWords(count: number): string {
  return Array.from({ length: count }, (_, index) => `w${index + 1}`).join(' ');
}

export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The conversation that this page's widget keeps: its id, and what writing to it takes. */
export async function sessionOf(page: Page): Promise<{ sessionId: string; continuationToken: string }> {
  // What else is kept has a name behind the key.
  const kept = await page.evaluate(
    () => Object.entries<string>(localStorage).find(([name]) => /:pk_[^:]+$/.test(name))?.[1],
  );
  expect(kept).toBeDefined();
  return JSON.parse(kept!) as { sessionId: string; continuationToken: string };
}
