import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/**
 * The path of a Chromium that is on this machine: `CHROMIUM_PATH`, Playwright's own, or the system's. Without the windows
 * that nobody sees tests take two thirds of the time.
 */
export function findBrowser(): string | undefined {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && !existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH: no file ${CHROMIUM_PATH}`);
  const candidates = [
    CHROMIUM_PATH,
    chromium.executablePath(),
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((path) => path !== undefined && existsSync(path));
}

/** Finds a browser, or installs one: Playwright's download first, then Debian's package when root. */
export function ensureBrowser(): string {
  const found = findBrowser();
  if (found) return found;
  const attempts = [
    () => run(process.execPath, [playwrightCommand(), 'install', '--with-deps', 'chromium']),
    ...['chromium-headless-shell', 'chromium'].map((name) => () => {
      if (process.getuid?.() !== 0) throw new Error('not root');
      run('apt-get', ['update']);
      run('apt-get', ['install', '-y', '--no-install-recommends', name, 'fonts-liberation']);
    }),
  ];
  const reasons: string[] = [];
  for (const attempt of attempts) {
    try {
      attempt();
    } catch (error) {
      reasons.push(String(error));
    }
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new Error(`No Chromium: set CHROMIUM_PATH, or install one.\n${reasons.join('\n')}`);
}

export function playwrightCommand(): string {
  return new URL('cli.js', import.meta.resolve('@playwright/test')).pathname;
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
