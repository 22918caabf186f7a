import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { Builder, Capabilities, Key as Code, type WebDriver, type WebElement } from 'selenium-webdriver';
import { openDisplay } from './display.ts';
import type { Key, StockBrowser, Tab } from './tab.ts';

// A folder, which only `require` finds.
const { DriverService } = createRequire(import.meta.url)(
  'selenium-webdriver/remote',
) as typeof import('selenium-webdriver/remote.js');

const codes: Record<Exclude<Key, 'Shift+Tab'>, string> = {
  Enter: Code.ENTER,
  Escape: Code.ESCAPE,
  Tab: Code.TAB,
  Space: Code.SPACE,
  ArrowDown: Code.ARROW_DOWN,
};

/** WebKit over classic WebDriver. It has no headless mode: it draws on a display that nobody sees. */
export function webdriverBrowser(driverPath: string, browserPath: string): StockBrowser {
  let shared: ReturnType<typeof startDriver> | undefined;
  return {
    async open() {
      const { url } = await (shared ??= startDriver(driverPath));
      const capabilities = new Capabilities({
        browserName: 'MiniBrowser',
        'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
      });
      const driver = await new Builder().usingServer(url).withCapabilities(capabilities).build();
      await driver.manage().setTimeouts({ script: 60_000, pageLoad: 60_000 });
      await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 870 });
      return webdriverTab(driver);
    },
    close: async () => (await shared)?.close(),
  };
}

async function startDriver(driverPath: string) {
  const display = await openDisplay();
  const port = await freePort();
  const service = new DriverService(driverPath, {
    port,
    loopback: true,
    args: [`--port=${port}`],
    env: { ...(process.env as Record<string, string>), DISPLAY: display.name },
  });
  const close = async () => {
    await service.kill();
    await display.close();
  };
  try {
    return { url: await service.start(60_000), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

function webdriverTab(driver: WebDriver): Tab {
  const evaluate = (expression: string) => driver.executeScript<unknown>(`return (${expression});`);
  const find = (element: string) => driver.executeScript<WebElement>(`return (${element});`);
  const input = () => driver.actions({ async: true });
  return {
    evaluate,
    goto: (address) => driver.get(address),
    reload: () => driver.navigate().refresh(),
    // Its own click finds every element of a shadow root covered by the root's host.
    click: async (element) =>
      input()
        .move({ origin: await find(element) })
        .click()
        .perform(),
    upload: async (field, ...paths) => (await find(field)).sendKeys(paths.join('\n')),
    type: (text) => input().sendKeys(text).perform(),
    async press(key) {
      if (key === 'Shift+Tab')
        await input().keyDown(Code.SHIFT).sendKeys(Code.TAB).keyUp(Code.SHIFT).perform();
      else await input().sendKeys(codes[key]).perform();
    },
    enterFrame: async (frame) => driver.switchTo().frame(await find(frame)),
    leaveFrame: () => driver.switchTo().defaultContent(),
    picture: async () => Buffer.from(await driver.takeScreenshot(), 'base64'),
    close: () => driver.quit(),
  };
}
