import type { Page } from '@playwright/test';

/** The addresses that the page asks for from now on, in their order, but for those that the browser's cache answers. */
export async function overNetwork(page: Page): Promise<string[]> {
  const addresses = new Map<string, string>();
  const asked: string[] = [];
  const browser = await page.context().newCDPSession(page);
  browser.on('Network.requestWillBeSent', ({ requestId, request }) => addresses.set(requestId, request.url));
  browser.on('Network.requestServedFromCache', ({ requestId }) => addresses.delete(requestId));
  browser.on('Network.responseReceived', ({ requestId, response }) => {
    const address = addresses.get(requestId);
    if (address && !response.fromDiskCache) asked.push(address);
  });
  await browser.send('Network.enable');
  return asked;
}
