import { type CDPSession, type ConsoleMessage, expect, type Page } from '@playwright/test';
import { clipped, faint, offGrid, smallTargets, zoomingFields } from './measure.ts';
import { startMockService, strictPolicy } from './mock-service.ts';
import { enter, states } from './states.ts';
import { test } from './stage.ts';
import { violationsBesidesColours } from './violations.ts';

/** As strict as the README's, which an agent's picture asks for `data:`. */
const withPictures = {
  'content-security-policy': strictPolicy['content-security-policy'].replace("img-src 'self'", '$& data:'),
};

const sizes = [
  [320, 200],
  [320, 480],
  [360, 640],
  [768, 1024],
  [1280, 800],
] as const;

async function measure(page: Page, devtools: CDPSession): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {
    'targets under 24 px': await smallTargets(page, 24),
    'off the grid': await offGrid(page),
  };
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    found[`cut off at ${width}×${height}`] = await clipped(page);
  }
  for (const media of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { forcedColors: 'active' },
  ] as const) {
    await page.emulateMedia(media);
    found[`faint in ${Object.values(media).join('')}`] = await faint(page);
  }
  // Text at 200 %, as browsers let their users set it.
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  found['cut off at 200 %'] = await clipped(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  await page.setViewportSize({ width: 360, height: 640 });
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 5 });
  found['targets under 44 px for a finger'] = await smallTargets(page, 44);
  found['fields under 16 px for a finger'] = await zoomingFields(page);
  return Object.fromEntries(Object.entries(found).filter(([, each]) => each.length > 0));
}

// No test needs another, and there are many.
test.describe.configure({ mode: 'parallel' });

for (const [name, state] of Object.entries(states)) {
  test(`nothing is in the way of eyes, fingers, assistive technology and a strict policy: ${name}`, async ({
    stage,
  }) => {
    const mock = await startMockService({ ...state, page: withPictures });
    const refused: string[] = [];
    const listen = (message: ConsoleMessage) => {
      if (/Content Security Policy|Trusted/.test(message.text())) refused.push(message.text());
    };
    stage.on('console', listen);
    const devtools = await stage.context().newCDPSession(stage);
    try {
      await enter(stage, mock.url, state);
      expect(refused).toEqual([]);
      expect(await violationsBesidesColours(stage)).toEqual([]);
      expect(await measure(stage, devtools)).toEqual({});
    } finally {
      stage.off('console', listen);
      // Ends what it emulates.
      await devtools.detach();
      await mock.close();
    }
  });
}
