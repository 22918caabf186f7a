import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from '../browser.ts';
import { puppeteerBrowser } from './puppeteer-browser.ts';
import type { StockBrowser } from './tab.ts';
import { webdriverBrowser } from './webdriver-browser.ts';

export type Engine = 'chromium' | 'firefox' | 'webkit';

const firstOf = (...paths: (string | undefined)[]) => paths.find((path) => path && existsSync(path));
const libraries = ['x86_64', 'aarch64'].flatMap((machine) =>
  ['/webkitgtk-6.0', '/webkit2gtk-4.1'].map(
    (version) => `/usr/lib/${machine}-linux-gnu${version}/MiniBrowser`,
  ),
);

/** What is on this machine of what each engine needs, and Debian's packages with it. */
const needed = {
  firefox: {
    packages: ['firefox-esr'],
    find: () => [firstOf(process.env['FIREFOX_PATH'], '/usr/bin/firefox-esr', '/usr/bin/firefox')],
  },
  webkit: {
    packages: ['webkit2gtk-driver', 'xvfb'],
    find: () => [firstOf('/usr/bin/WebKitWebDriver'), firstOf(...libraries), firstOf('/usr/bin/Xvfb')],
  },
};

/** Installs what is missing, when root; says what to do, else. */
export function ensureStockBrowsers(): void {
  for (const [engine, { packages, find }] of Object.entries(needed)) {
    const isThere = () => find().every(Boolean);
    if (isThere()) continue;
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    if (process.getuid?.() === 0) {
      aptGet('update');
      aptGet(...install);
    }
    if (!isThere()) throw new Error(`No ${engine}: run "apt-get ${install.join(' ')}" as root.`);
  }
}

function aptGet(...args: string[]): void {
  execFileSync('apt-get', args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

export function openStockBrowser(engine: Engine): StockBrowser {
  if (engine === 'chromium') return puppeteerBrowser('chrome', findBrowser()!);
  if (engine === 'firefox') return puppeteerBrowser('firefox', needed.firefox.find()[0]!);
  const [driver, browser] = needed.webkit.find();
  return webdriverBrowser(driver!, browser!);
}
