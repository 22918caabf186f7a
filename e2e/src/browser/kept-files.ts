import type { Page } from '@playwright/test';

/** How many messages and drafts with files the browser keeps. Opening what is not there yet would make it, empty. */
export const keptFiles = (page: Page) =>
  page.evaluate(async () => {
    if ((await indexedDB.databases()).length === 0) return 0;
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open('parley');
      opening.onsuccess = () => {
        const counting = opening.result.transaction('files').objectStore('files').count();
        counting.onsuccess = () => {
          opening.result.close();
          resolve(counting.result);
        };
      };
    });
  });
