import {
  type Browser,
  type ElementHandle,
  type Frame,
  type KeyInput,
  launch,
  type Page,
} from 'puppeteer-core';
import type { Key, StockBrowser, Tab, TabOptions } from './tab.ts';

/** A machine of tests has no mouse, and without one the widget takes it for a telephone. */
const mouse =
  '--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2';
const keys: Partial<Record<Key, KeyInput>> = { 'Shift+Tab': 'Tab' };

/** Firefox over WebDriver BiDi, or Chromium over its own protocol. */
export function puppeteerBrowser(name: 'firefox' | 'chrome', executablePath: string): StockBrowser {
  const start = ({ blockStorage }: TabOptions) =>
    launch({
      browser: name,
      executablePath,
      headless: true,
      protocol: name === 'firefox' ? 'webDriverBiDi' : 'cdp',
      defaultViewport: null,
      timeout: 120_000,
      protocolTimeout: 120_000,
      args:
        name === 'firefox'
          ? ['--width=1280', '--height=885']
          : ['--no-sandbox', '--window-size=1280,800', mouse],
      extraPrefsFirefox: {
        'ui.primaryPointerCapabilities': 6,
        'ui.allPointerCapabilities': 6,
        ...(blockStorage && { 'network.cookie.cookieBehavior': { embedded: 1, all: 2 }[blockStorage] }),
      },
    });
  let shared: Promise<Browser> | undefined;
  return {
    async open(options) {
      if (options.blockStorage) {
        const own = await start(options);
        return puppeteerTab(await own.newPage(), () => own.close());
      }
      const context = await (await (shared ??= start({}))).createBrowserContext();
      return puppeteerTab(await context.newPage(), () => context.close());
    },
    close: async () => (await shared)?.close(),
  };
}

function puppeteerTab(page: Page, close: () => Promise<void>): Tab {
  let frame: Frame = page.mainFrame();
  const find = async (element: string) =>
    (await frame.evaluateHandle(element)).asElement() as ElementHandle<Element>;
  return {
    close,
    evaluate: (expression) => frame.evaluate(expression),
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    click: async (element) => (await find(element)).click(),
    upload: async (field, ...paths) =>
      ((await find(field)) as ElementHandle<HTMLInputElement>).uploadFile(...paths),
    type: (text) => page.keyboard.type(text),
    async press(key) {
      if (key === 'Shift+Tab') await page.keyboard.down('Shift');
      await page.keyboard.press(keys[key] ?? (key as KeyInput));
      if (key === 'Shift+Tab') await page.keyboard.up('Shift');
    },
    async enterFrame(element) {
      const entered = await (await find(element)).contentFrame();
      if (!entered) throw new Error(`${element} is no frame.`);
      frame = entered;
    },
    async leaveFrame() {
      frame = page.mainFrame();
    },
    picture: async () => Buffer.from(await page.screenshot()),
  };
}
