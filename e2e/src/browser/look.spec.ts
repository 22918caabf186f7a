import { expect, type Locator, type Page } from '@playwright/test';
import { chatIn } from './chat.ts';
import { clipped, faint } from './measure.ts';
import { startMockService, type MockService } from './mock-service.ts';
import { parley } from './parley.ts';
import { asked, ended, event, said, step } from './recorded-turns.ts';
import { allowPatience, bePatient } from './resilience/patience.ts';
import { test as base } from './stage.ts';
import { enter, type State, states } from './states.ts';

const test = base.extend<{ open: (state: State) => Promise<MockService> }>({
  open: async ({ stage }, use) => {
    const mocks: MockService[] = [];
    await use(async (state) => {
      const mock = await startMockService(state);
      mocks.push(mock);
      await enter(stage, mock.url, state);
      return mock;
    });
    for (const mock of mocks) await mock.close();
  },
});

// No test needs another, and there are many.
test.describe.configure({ mode: 'parallel' });

const panelOf = (page: Page) => page.getByRole('dialog');
const launcherOf = (page: Page) => page.getByRole('button', { name: 'Chat with Fern' });
const box = async (locator: Locator) => (await locator.boundingBox())!;
const style = (locator: Locator, ...properties: string[]) =>
  locator.evaluate((element, names) => {
    const computed = getComputedStyle(element);
    return Object.fromEntries(names.map((name) => [name, computed.getPropertyValue(name)]));
  }, properties);
const still = { reducedMotion: 'reduce' } as const;

/** How far each is below the one before, all seen at one moment. */
const gaps = (locator: Locator) =>
  locator.evaluateAll((elements) => {
    const boxes = elements.map((element) => element.getBoundingClientRect());
    return boxes.slice(1).map(({ top }, index) => Math.round(top - boxes[index]!.bottom));
  });

const approved: State = {
  ...states['approval approved']!,
  events: [
    ...states['approval approved']!.events!,
    event('turn.started', { sequence: 2, turnId: 'turn_2' }),
    ...said(2, 'The money is on its way.'),
    ...ended(2),
    ...asked(3, 'Thank you'),
    ...said(3, 'You are welcome.'),
    ...ended(3),
  ],
  shows: 'You are welcome.',
};

test('launcher and panel keep their sizes and their distance from the edges, and are not printed', async ({
  stage: page,
  open,
}) => {
  await page.emulateMedia(still);
  await open(states['answered']!);
  await page.mouse.move(1, 1);
  const launcher = await box(launcherOf(page));
  expect(launcher).toEqual({ x: 1280 - 20 - 56, y: 800 - 20 - 56, width: 56, height: 56 });
  const panel = await box(panelOf(page));
  expect(panel).toEqual({ x: 1280 - 20 - 400, y: 800 - 88 - 684, width: 400, height: 684 });
  expect(await style(panelOf(page), 'border-radius', 'box-shadow', 'font-size', 'line-height')).toEqual({
    'border-radius': '16px',
    'box-shadow': 'rgba(0, 0, 0, 0.16) 0px 5px 40px 0px',
    'font-size': '15px',
    'line-height': expect.stringMatching(/^22(\.\d+)?px$/),
  });
  expect((await box(page.locator('.header'))).height).toBe(56);
  expect((await box(page.locator('.composer-box'))).height).toBe(52);
  await page.emulateMedia({ media: 'print' });
  await expect(launcherOf(page)).toBeHidden();
  await expect(panelOf(page)).toBeHidden();
});

test('title, answers and what is typed begin on one line; parts stand 8 px and turns 24 px apart', async ({
  stage: page,
  open,
}) => {
  await page.emulateMedia(still);
  await open(approved);
  await chatIn(page).field.fill('Typed');
  const left = (locator: Locator) =>
    locator.evaluate((element) => {
      const { paddingInlineStart } = getComputedStyle(element);
      return element.getBoundingClientRect().left + Number.parseFloat(paddingInlineStart);
    });
  const edges = await Promise.all([
    left(page.getByRole('heading', { name: 'Fern' })),
    left(chatIn(page).log.getByText('The money is on its way.')),
    left(chatIn(page).field),
  ]);
  expect(Math.max(...edges) - Math.min(...edges)).toBeLessThan(1);
  const log = page.getByRole('log');
  const parts = log.locator('.user, .answer, .tool');
  await expect(parts).toHaveCount(6);
  expect(await gaps(parts)).toEqual([8, 8, 8, 32, 8]);
  expect(await gaps(log.locator('.exchange'))).toEqual([24]);
  const bubble = await box(log.locator('.bubble').first());
  const content = await box(log.locator('.exchange').first());
  expect(bubble.x + bubble.width).toBeCloseTo(content.x + content.width, 0);
  expect(bubble.width).toBeLessThanOrEqual(content.width * 0.85);
  expect(
    await style(page.locator('.answer').first(), 'max-width', 'background-color', 'border-width'),
  ).toEqual({
    'max-width': expect.stringMatching(/px$/),
    'background-color': 'rgba(0, 0, 0, 0)',
    'border-width': '0px',
  });
});

test('a small window is filled, without a frame', async ({ stage: page, open }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.emulateMedia(still);
  await open(states['approval pending']!);
  await expect(launcherOf(page)).toBeHidden();
  await chatIn(page).field.fill('One line\n'.repeat(20));
  for (const [width, height] of [
    [320, 200],
    [320, 480],
    [360, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => box(panelOf(page))).toEqual({ x: 0, y: 0, width, height });
    expect(await style(panelOf(page), 'border-radius', 'box-shadow', 'border-width')).toEqual({
      'border-radius': '0px',
      'box-shadow': 'none',
      'border-width': '0px',
    });
    await expect(page.locator('.composer')).toBeInViewport({ ratio: 1 });
    expect((await box(page.getByRole('log'))).height).toBeGreaterThan(40);
    expect(await clipped(page)).toEqual([]);
  }
});

const darkPage = 'html { font-size: 62.5%; color-scheme: dark; line-height: 3 } * { letter-spacing: 9px }';

test('the size of text is the visitor’s, not the page’s', async ({ stage: page, open }) => {
  await open({ ...states['answered']!, widget: { theme: 'light' } });
  // Code is drawn anew once that is there.
  await expect(page.locator('.code-head')).toBeVisible();
  const sizes = () =>
    Promise.all(
      ['.panel', '.meta', '.code code', 'td', '.heading-2', '.copy'].map((each) =>
        style(page.locator(each).first(), 'font-size', 'line-height', 'letter-spacing', 'background-color'),
      ),
    );
  const before = await sizes();
  expect(before.map((each) => each['font-size'])).toEqual(['15px', '12px', '13px', '14px', '16px', '12px']);
  await page.addStyleTag({ content: darkPage });
  expect(await sizes()).toEqual(before);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  expect((await sizes()).map((each) => each['font-size'])).toEqual([
    '30px',
    '24px',
    expect.stringMatching(/^2[4-9]/),
    '28px',
    expect.stringMatching(/^32/),
    '24px',
  ]);
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
});

test.describe('text at twice its size', () => {
  test.beforeEach(async ({ stage: page }) => {
    await page.emulateMedia(still);
    await page.setViewportSize({ width: 900, height: 700 });
  });
  test.afterEach(({ stage: page }) => page.setViewportSize({ width: 1280, height: 800 }));
  const enlarge = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    return () => devtools.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
  };

  test('a menu that is longer than the panel scrolls, and not the panel', async ({ stage: page, open }) => {
    const restore = await enlarge(page);
    await open(states['asked before deleting all']!);
    expect(await panelOf(page).evaluate((element) => element.scrollTop)).toBe(0);
    const menu = await box(page.locator('.menu-items'));
    const panel = await box(panelOf(page));
    expect(menu.y + menu.height).toBeLessThanOrEqual(panel.y + panel.height);
    await expect(panelOf(page).getByRole('button', { name: 'Close' })).toBeInViewport();
    const confirm = page.locator('.confirm .danger');
    await confirm.scrollIntoViewIfNeeded();
    expect((await box(confirm)).height).toBeLessThan(70);
    await restore();
  });

  test('two buttons beside one another break no word on a telephone', async ({ stage: page, open }) => {
    const restore = await enlarge(page);
    await page.setViewportSize({ width: 400, height: 700 });
    await open(states['approval pending']!);
    const heights = [];
    for (const name of ['Approve', 'Decline'])
      heights.push((await box(panelOf(page).getByRole('button', { name, exact: true }))).height);
    // Two lines of this text are higher.
    for (const height of heights) expect(height).toBeLessThan(80);
    await restore();
  });

  test('the initials of a person stand in a circle', async ({ stage: page, open }) => {
    const restore = await enlarge(page);
    await open(states['a person without a picture writes']!);
    for (const each of await page.locator('.initials').all()) {
      const { width, height } = await box(each);
      expect(Math.abs(width - height)).toBeLessThan(1);
    }
    await restore();
  });

  test('the larger window is larger', async ({ stage: page, open }) => {
    const restore = await enlarge(page);
    await page.setViewportSize({ width: 1600, height: 800 });
    await open(states['answered']!);
    const { width } = await box(panelOf(page));
    await panelOf(page).evaluate((element) => element.toggleAttribute('data-large'));
    await expect.poll(async () => (await box(panelOf(page))).width).toBeGreaterThan(width);
    await restore();
  });
});

test.describe('a narrow window', () => {
  test.beforeEach(async ({ stage: page }) => {
    await page.emulateMedia(still);
    await page.setViewportSize({ width: 320, height: 256 });
  });
  test.afterEach(({ stage: page }) => page.setViewportSize({ width: 1280, height: 800 }));

  test('breaks no word of a notice that has a button', async ({ stage: page, open }) => {
    await open(states['ended']!);
    // As wide as "This conversation".
    expect((await box(page.locator('.notice p'))).width).toBeGreaterThan(112);
  });

  test('leaves room for the conversation beside attached files', async ({ stage: page, open }) => {
    await open(states['files attached']!);
    expect((await box(page.getByRole('log'))).height).toBeGreaterThan(56);
  });

  test('has no button over the field that is written in', async ({ stage: page, open }) => {
    await open(states['question with options']!);
    const field = page.getByRole('textbox', { name: 'Your answer' });
    await expect(field).toBeFocused();
    await expect(page.locator('.pill')).toBeHidden();
    await field.blur();
    await expect(page.locator('.pill')).toBeVisible();
  });
});

test('more room between lines, letters and words cuts nothing off', async ({ stage: page, open }) => {
  await page.emulateMedia(still);
  await open(states['answered']!);
  await page.locator('[data-parley]').evaluate((host) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }',
    );
    host.shadowRoot!.adoptedStyleSheets.push(sheet);
  });
  expect(await clipped(page)).toEqual([]);
});

for (const accent of ['#fef08a', '#000000', '#ffffff', '#ff0000'])
  test(`${accent} leaves everything readable, and the launcher before there is a panel`, async ({
    stage: page,
  }) => {
    await page.emulateMedia(still);
    const state = states['approval pending']!;
    const mock = await startMockService({
      ...state,
      attributes: `data-accent="${accent}"`,
      widget: { accent },
    });
    await page.goto(mock.url);
    await expect(launcherOf(page)).toBeVisible();
    expect(await launcherContrast(page)).toBeGreaterThanOrEqual(4.5);
    await expect(page.locator('#panel')).toHaveCount(0);
    await enter(page, mock.url, state);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await faint(page)).toEqual([]);
      expect(await launcherContrast(page)).toBeGreaterThanOrEqual(4.5);
    }
    await mock.close();
  });

test('where colours cannot be made from others, the mark is white on the accent', async ({ page }) => {
  const mock = await startMockService({ attributes: 'data-accent="#2f6f4f"' });
  await page.route('**/v1/parley.js', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('oklch(from', 'unknown(from') });
  });
  await page.goto(mock.url);
  await expect(launcherOf(page)).toHaveCSS('color', 'rgb(255, 255, 255)');
  expect(await launcherContrast(page)).toBeGreaterThanOrEqual(4.5);
  await mock.close();
});

test('a picture that is written as it is drawn, and more words than fit beside it, are seen and can be sent away', async ({
  page,
}) => {
  const drawing =
    'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">\n<circle r="8"/></svg>';
  await page.setViewportSize({ width: 360, height: 480 });
  await page.emulateMedia(still);
  const text = 'Planning a trip over the hills? '.repeat(60).trim();
  await page.addInitScript((given) => Object.assign(globalThis, { parleySettings: given }), {
    avatar: drawing,
    accent: '#fef08a',
    teaser: text,
  });
  const mock = await startMockService({});
  await page.goto(mock.url);
  const picture = await launcherOf(page).evaluate((launcher) =>
    getComputedStyle(launcher).backgroundImage.replace(/^url\("(.*)"\)$/, '$1'),
  );
  expect(decodeURIComponent(picture)).toBe(drawing);
  await launcherOf(page).hover();
  const teaser = page.getByRole('status').filter({ hasText: 'Planning a trip' });
  const said = teaser.getByRole('button', { name: text });
  await expect(said).toBeVisible();
  const { y, height } = await box(teaser);
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y + height).toBeLessThanOrEqual((await box(launcherOf(page))).y);
  expect(await said.evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(contrastOf(await coloursOf(teaser))).toBeGreaterThanOrEqual(4.5);
  }
  await teaser.getByRole('button', { name: 'Close' }).click();
  await expect(teaser).toHaveCount(0);
  await mock.close();
});

/** What something is drawn with, and what on. */
const coloursOf = (locator: Locator) =>
  locator.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d')!;
    const { color, backgroundColor } = getComputedStyle(element);
    return [color, backgroundColor].map((colour) => {
      context.fillStyle = colour;
      context.fillRect(0, 0, 1, 1);
      const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
      return [red!, green!, blue!];
    });
  });

const launcherContrast = async (page: Page) => contrastOf(await coloursOf(launcherOf(page)));

function contrastOf(colours: readonly (readonly number[])[]): number {
  const [darker, lighter] = colours
    .map((colour) => {
      const [red, green, blue] = colour.map((value) => {
        const part = value / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    })
    .toSorted((one, other) => one - other) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** What moves once `act` has been done: for how long, and which properties. */
const movement = (page: Page, act: 'open' | 'close') =>
  page.locator('[data-parley]').evaluate(async (host, toOpen) => {
    const root = host.shadowRoot!;
    const panel = root.querySelector('#panel')!;
    // A panel that is still coming goes without a motion of its own, until a frame has been drawn of it at rest.
    await Promise.all(panel.getAnimations().map(({ finished }) => finished));
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame);
    const name = toOpen ? '.launcher' : '.header button:last-child';
    root.querySelector<HTMLButtonElement>(name)!.click();
    while (panel.hasAttribute('hidden') === toOpen) await new Promise(requestAnimationFrame);
    return panel.getAnimations().map((each) => ({
      duration: Number(each.effect!.getComputedTiming().duration),
      properties: (each.effect as KeyframeEffect)
        .getKeyframes()
        .flatMap((frame) => Object.keys(frame))
        .filter((key) => !['offset', 'computedOffset', 'easing', 'composite'].includes(key)),
    }));
  }, act === 'open');

test('the panel comes within 250 ms and goes within 150, and nothing but its opacity and transform moves', async ({
  stage: page,
  open,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await open(states['answered']!);
  const leaving = await movement(page, 'close');
  expect(leaving).toHaveLength(3);
  expect(Math.max(...leaving.map(({ duration }) => duration))).toBeLessThanOrEqual(150);
  expect(new Set(leaving.flatMap(({ properties }) => properties))).toEqual(
    new Set(['opacity', 'transform', 'display']),
  );
  await expect(panelOf(page)).toBeHidden();
  const coming = await movement(page, 'open');
  expect(coming).toHaveLength(1);
  expect(coming[0]!.duration).toBeLessThanOrEqual(250);
  expect(new Set(coming[0]!.properties)).toEqual(new Set(['opacity', 'transform']));
});

for (const name of ['submitted', 'tool running', 'streaming'])
  test(`who asked for less motion sees none: ${name}`, async ({ stage: page, open }) => {
    await page.emulateMedia(still);
    await open(states[name]!);
    await launcherOf(page).hover();
    const moving = () =>
      page
        .locator('[data-parley]')
        .evaluate((host) =>
          host.shadowRoot!.getAnimations().map((each) => (each as CSSAnimation).animationName),
        );
    expect(await moving()).toEqual([]);
    expect(await style(launcherOf(page), 'transform')).toEqual({ transform: 'none' });
    await expect(page.locator('.spinner')).toBeHidden();
    expect(await movement(page, 'close')).toEqual([]);
    expect(await movement(page, 'open')).toEqual([]);
  });

test('a conversation that loads at once shows no placeholder, whatever motion is wanted', async ({
  stage: page,
  open,
}) => {
  await open(states['loading history']!);
  const seen = (time: number) =>
    page.locator('.skeleton').evaluate((skeleton: HTMLElement, now) => {
      // It may be over by now: from its beginning.
      skeleton.style.setProperty('animation-name', 'none');
      getComputedStyle(skeleton).getPropertyValue('animation-name');
      skeleton.style.removeProperty('animation-name');
      for (const appearing of skeleton.getAnimations()) {
        appearing.pause();
        appearing.currentTime = now;
      }
      return Number(getComputedStyle(skeleton).opacity);
    }, time);
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion });
    expect(await seen(0)).toBe(0);
    expect(await seen(149)).toBe(0);
    expect(await seen(299)).toBeGreaterThan(0.9);
  }
  await expect(page.locator('.skeleton > *')).toHaveCount(3);
});

test('the page does not shift when the widget loads, opens and closes', async ({ page }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const each of list.getEntries()) shifts.push((each as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const mock = await startMockService(states['tool done']!);
  await enter(page, mock.url, states['tool done']!);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(panelOf(page)).toBeHidden();
  const outside = await page.evaluate(() => (globalThis as unknown as { shifts: number[] }).shifts);
  expect(outside.reduce((sum, value) => sum + value, 0)).toBe(0);
  await mock.close();
});

test('the keyboard goes from the launcher into the panel, through it and back', async ({
  stage: page,
  open,
}) => {
  await open(states['approval pending']!);
  const field = chatIn(page).field;
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toBeHidden();
  await expect(launcherOf(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  const visited: string[] = [];
  const focused = () =>
    page.locator('[data-parley]').evaluate((host) => {
      const { activeElement } = host.shadowRoot!;
      if (!activeElement) return 'the page';
      return activeElement.closest('.header, .card, .log, .composer, .launcher')!.className;
    });
  for (let step = 0; step < 12 && visited.at(-1) !== 'header'; step++) {
    await page.keyboard.press('Shift+Tab');
    const at = await focused();
    if (at !== visited.at(-1)) visited.push(at);
  }
  expect(visited).toEqual(['card', 'log', 'header']);
  while ((await focused()) !== 'launcher') await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('the page');
});

/** Presses a button that goes by being pressed: whoever did so goes on in the field, and out of the panel. */
async function pressAway(page: Page, button: Locator) {
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(chatIn(page).field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panelOf(page)).toBeHidden();
  await expect(launcherOf(page)).toBeFocused();
}

for (const [name, button] of [
  ['answered', 'New conversation'],
  ['ended', 'New conversation'],
  ['send failed', 'Try again'],
  ['send failed', 'Discard'],
  ['empty', 'Where is order 1042?'],
] as const)
  test(`the focus stays in the panel when its button is gone: ${name}, ${button}`, async ({
    stage: page,
    open,
  }) => {
    await open(states[name]!);
    await pressAway(page, panelOf(page).getByRole('button', { name: button }).last());
  });

test('the focus stays in the panel when another try sets it up', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const mock = await startMockService(states['empty']!);
  await page.route('**/v1/config*', (route) => route.abort());
  await allowPatience(page);
  await page.goto(mock.url);
  // After a pause it would be tried again without the button.
  await bePatient(page);
  await launcherOf(page).click();
  const again = panelOf(page).getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  // What comes after the panel.
  await expect(panelOf(page)).toHaveAttribute('aria-modal', 'true');
  await page.unroute('**/v1/config*');
  await pressAway(page, again);
  await mock.close();
});

test('a full-screen panel keeps the focus, and the page behind it still', async ({ stage: page, open }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(states['approval pending']!);
  const inside = () =>
    panelOf(page).evaluate((panel) => panel.contains((panel.getRootNode() as ShadowRoot).activeElement));
  for (const key of ['Tab', 'Shift+Tab']) {
    await panelOf(page).focus();
    for (let step = 0; step < 16; step++) {
      await page.keyboard.press(key);
      expect(await inside()).toBe(true);
    }
  }
  const locked = () => page.evaluate(() => getComputedStyle(document.documentElement).overflow);
  expect(await locked()).toBe('hidden');
  await page.keyboard.press('Escape');
  expect(await locked()).toBe('visible');
});

test('of two full-screen panels the last that is closed lets the page behind them go', async ({
  stage: page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await open(states['answered']!);
  await parley(page, 'init', { id: 'sales', key: 'pk_sales', name: 'Sales' });
  await parley(page, 'sales.open');
  await expect(page.locator('[data-parley=sales]').getByRole('dialog')).toHaveAttribute('aria-modal', 'true');
  const locked = () => page.evaluate(() => getComputedStyle(document.documentElement).overflow);
  await parley(page, 'close');
  expect(await locked()).toBe('hidden');
  await parley(page, 'sales.close');
  expect(await locked()).toBe('visible');
});

test('a full-screen panel ends where the on-screen keyboard begins, and stays while fingers zoom', async ({
  stage: page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.emulateMedia(still);
  await open(states['answered']!);
  const seen = (view: { height: number; offsetTop: number; scale: number }) =>
    page.evaluate((values) => {
      for (const [name, value] of Object.entries(values))
        Object.defineProperty(visualViewport, name, { configurable: true, value });
      visualViewport!.dispatchEvent(new Event('resize'));
    }, view);
  await seen({ height: 340, offsetTop: 24, scale: 1 });
  expect(await box(panelOf(page))).toEqual({ x: 0, y: 24, width: 360, height: 340 });
  expect((await box(page.locator('.header'))).y).toBe(24);
  const composer = await box(page.locator('.composer'));
  expect(composer.y + composer.height).toBe(364);
  await seen({ height: 170, offsetTop: 100, scale: 2 });
  expect(await box(panelOf(page))).toEqual({ x: 0, y: 24, width: 360, height: 340 });
});

const long = 'A line of an answer that goes on for a while. '.repeat(30);

test('whoever drags the scrollbar of an Arabic page up is not taken down by the answer', async ({
  stage: page,
  open,
}) => {
  const line = (count: number) =>
    event('message.appended', { ...step(1), messageDelta: 'سطر\n\n'.repeat(count) });
  const mock = await open({
    root: 'lang="ar" dir="rtl"',
    events: [...asked(1, 'Tell me a story'), line(40)],
    shows: 'سطر',
  });
  const log = page.getByRole('log');
  const { x, y } = await box(log);
  const distance = () => log.evaluate((each) => each.scrollHeight - each.scrollTop - each.clientHeight);
  await expect.poll(distance).toBeLessThan(2);
  // A browser that is driven shows no scrollbar to drag.
  await log.dispatchEvent('pointerdown', { clientX: x - 4, clientY: y + 40 });
  mock.write(line(20));
  await expect(page.locator('.pill')).toBeVisible();
  expect(await distance()).toBeGreaterThan(400);
});

test('a new message stands near the top below what was said before, also once an approval was answered', async ({
  stage: page,
  open,
}) => {
  await page.emulateMedia(still);
  const mock = await open({
    events: [...asked(1, 'First'), ...said(1, long), ...ended(1)],
    shows: 'A line of an answer',
  });
  await chatIn(page).say('Refund, please');
  const log = await box(page.getByRole('log'));
  const bubble = page.locator('.bubble').last();
  const top = async () => Math.round((await box(bubble)).y - log.y);
  await expect.poll(top).toBe(72);
  const own = (sequence: number) => ({ sequence, turnId: `turn_${sequence}`, stepIndex: 0 });
  const action = { kind: 'tool-call', callId: 'call_2', toolName: 'refund_order', input: {} };
  for (const each of [
    ...asked(2, 'Refund, please'),
    ...said(2, 'I can do that.', 'tool-calls'),
    event('actions.requested', { ...own(2), actions: [action] }),
  ])
    mock.write(each);
  await expect(chatIn(page).log.getByText('I can do that.')).toBeVisible();
  await expect.poll(top).toBe(72);
  for (const each of [...ended(2), event('turn.started', own(3)), ...said(3, 'It is on its way.')])
    mock.write(each);
  await expect(chatIn(page).log.getByText('It is on its way.')).toBeVisible();
  await expect.poll(top).toBe(72);
  await expect(chatIn(page).log.getByText('A line of an answer').last()).toBeInViewport();
});

test('a sent message and that it is worked on show with the next frame', async ({ stage: page, open }) => {
  await open({ ...states['submitted']!, post: null, act: async () => {}, shows: 'Hi! How can I help?' });
  await chatIn(page).field.fill('Hello');
  const next = await page.locator('[data-parley]').evaluate(async (host) => {
    const root = host.shadowRoot!;
    root.querySelector('form')!.requestSubmit();
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    return root.querySelector('.log')!.textContent;
  });
  expect(next).toContain('Hello');
  expect(next).toContain('Sending…');
  expect(next).toContain('Working…');
});

test('the header says who waits: the visitor while an approval or a sign-in is open', async ({
  stage: page,
  open,
}) => {
  const header = page.locator('.header');
  const mock = await open(states['sign-in needed']!);
  await expect(header).toContainText('Waiting for you');
  mock.write(
    event('authorization.completed', {
      sequence: 1,
      turnId: 'turn_1',
      stepIndex: 0,
      name: 'Calendar',
      outcome: 'authorized',
    }),
  );
  await expect(header).toContainText('Answering…');
});

test('who writes stands in the header and beside the words: a person, or the agent again', async ({
  stage: page,
  open,
}) => {
  const header = page.locator('.header');
  const mock = await open(states['a person writes']!);
  await expect(header).toContainText('Grace · A person');
  await expect(header).not.toContainText('AI assistant');
  const speakers = page.locator('.log .speaker, .log p.hidden').filter({ hasText: /^(Fern|Grace)$/ });
  await expect(speakers).toHaveText(['Fern', 'Grace']);
  await expect(speakers.last().locator('img')).toBeVisible();
  for (const each of [...asked(3, 'Thank you'), ...said(3, 'You are welcome.'), ...ended(3)])
    mock.write(each);
  await expect(header).toContainText('AI assistant');
  await expect(speakers).toHaveText(['Fern', 'Grace', 'Fern']);
});

test('what takes long says for how long', async ({ page }) => {
  const elapsed = page.locator('.elapsed');
  await page.clock.setSystemTime('2026-11-20T16:07:35Z');
  const mock = await startMockService(states['long-running']!);
  await enter(page, mock.url, states['long-running']!);
  await expect(elapsed).toHaveText(/^1:\d\d$/);
  await page.clock.setSystemTime('2026-11-20T17:07:35Z');
  await expect(elapsed).toHaveText(/^1:01:\d\d$/);
  await mock.close();
});

test('a call that waits for a function the page does not have is not said to be worked on', async ({
  stage: page,
  open,
}) => {
  const call = { callId: 'call_1', toolName: 'go_to', input: { page: '/pricing' } };
  await open({
    events: [
      ...asked(1, 'Show me the prices'),
      event('action.delegated', { ...step(1), ...call }),
      ...ended(1),
    ],
    shows: 'Go to',
  });
  await expect(panelOf(page).getByText('Still working.')).toBeHidden();
});

test('an approval that was declined or came too late is said once, in one line', async ({
  stage: page,
  open,
}) => {
  await open(states['approval declined']!);
  await expect(page.locator('.tool')).toHaveText('Declined: Refund order');
  await open(states['approval expired']!);
  await expect(page.locator('.tool')).toHaveText('No longer needed: Refund order');
});

test('an argument has room to be read beside a label of any length', async ({ stage: page, open }) => {
  const labels = { order: 'Name of the guest who pays for the room and all that is eaten' };
  await open({ ...states['approval pending']!, config: { tools: { refund_order: { labels } } } });
  const { width } = await box(page.locator('.argument-rows'));
  for (const argument of await page.locator('.argument-rows dd').all())
    expect((await box(argument)).width).toBeGreaterThan(width / 2);
});

test('offline nothing is said to go on', async ({ stage: page, open }) => {
  await open(states['long-running']!);
  await expect(page.locator('.dots')).toBeVisible();
  await page.context().setOffline(true);
  await expect(panelOf(page).getByText('You are offline.')).toBeVisible();
  await expect(page.locator('.dots')).toHaveCount(0);
  await expect(panelOf(page).getByText('Answering')).toHaveCount(0);
  await page.context().setOffline(false);
  await expect(page.locator('.dots')).toBeVisible();
});

test('a conversation that is not there invites to nothing but a new one', async ({ stage: page, open }) => {
  await open(states['no longer there']!);
  await expect(page.getByRole('list', { name: 'Suggestions' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'New conversation' })).toBeVisible();
});

test('on an Arabic page an empty field reads from the right', async ({ stage: page, open }) => {
  await open({
    ...states['question in words']!,
    root: 'lang="en" dir="rtl"',
    attributes: 'data-locale="ar"',
    act: async () => {},
    shows: 'Where will you ride?',
  });
  expect(await style(page.locator('.field'), 'direction')).toEqual({ direction: 'rtl' });
});

/** One control of each kind, and the state in which it is. */
const controls: Record<string, string[]> = {
  empty: ['.prompt', '.header .quiet >> nth=-1', '.menu > summary'],
  'question with options': ['button.option >> nth=0', '.button.primary'],
  'several choices': ['label.option >> nth=0'],
  answered: ['.copy >> nth=-1', '.image-placeholder'],
  'approval pending': ['.pair .button >> nth=0', '.pair .primary', 'details > summary'],
  menu: ['.menu-item >> nth=0', '.delete'],
  conversations: ['.conversation >> nth=1', '.conversations-list > .button'],
};
for (const [name, selectors] of Object.entries(controls))
  test(`controls answer a pointer without a ring, and the keyboard with one: ${name}`, async ({
    stage: page,
    open,
  }) => {
    await page.emulateMedia(still);
    await open(states[name]!);
    for (const selector of selectors) {
      const control = page.locator(selector).first();
      await control.scrollIntoViewIfNeeded();
      const fill = async () => JSON.stringify(await style(control, 'background-image', 'background-color'));
      await page.mouse.move(1, 1);
      const atRest = await fill();
      await control.hover();
      await expect.poll(fill).not.toBe(atRest);
      const hovered = await fill();
      await page.mouse.down();
      await expect.poll(fill).not.toBe(hovered);
      expect(await fill()).not.toBe(atRest);
      expect(await style(control, 'outline-style')).toEqual({ 'outline-style': 'none' });
      // Let go elsewhere, it is not done.
      await page.mouse.move(1, 1);
      await page.mouse.up();
      await page.keyboard.press('Shift');
      await control.evaluate((element) =>
        (element.querySelector('input') ?? (element as HTMLElement)).focus({
          focusVisible: true,
        } as FocusOptions),
      );
      await expect.poll(() => style(control, 'outline-style')).toEqual({ 'outline-style': 'solid' });
    }
  });

test('boxes to tick are drawn, and left to the browser where colours are forced', async ({
  stage: page,
  open,
}) => {
  await open(states['several choices']!);
  const ticked = page.locator('.option input').first();
  await expect.poll(() => style(ticked, 'appearance')).toEqual({ appearance: 'none' });
  const [on, off] = [ticked, page.locator('.option input:not(:checked)').first()];
  expect(await style(on, 'background-color')).not.toEqual(await style(off, 'background-color'));
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await style(ticked, 'appearance')).toEqual({ appearance: 'auto' });
});

test('in the dark, cards and the menu lie above the panel', async ({ stage: page, open }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await open(states['approval pending']!);
  await page.locator('.menu > summary').click();
  await expect(page.locator('.menu-item').first()).toBeVisible();
  const [panel, ...above] = await Promise.all(
    ['.panel', '.card', '.menu-items'].map((each) => style(page.locator(each).first(), 'background-color')),
  );
  for (const each of above) {
    expect(each).not.toEqual(panel);
    expect(each).not.toEqual({ 'background-color': 'rgba(0, 0, 0, 0)' });
  }
});

for (const rtl of [false, true])
  test(`a wide table and wide code fade where more follows: ${rtl ? 'from the right' : 'from the left'}`, async ({
    stage: page,
    open,
  }) => {
    const [first, ...more] = rtl ? ['\u0623', '\u0628'] : ['a', 'b'];
    const cells = Array.from(
      { length: 12 },
      (_, index) => `${index === 0 ? first : more[0]}${'x'.repeat(9)}`,
    );
    const row = `| ${cells.join(' | ')} |`;
    const wide = `${first}\n\n${row}\n${cells.map(() => '|:--').join('')}|\n${row}\n\n| ${first} |\n|:--|\n| ${first} |\n\n\`\`\`js\n${'wide '.repeat(60)}\n\`\`\`\n`;
    await open({ events: [...asked(1, 'Wide?'), ...said(1, wide), ...ended(1)], shows: 'Wide?' });
    const table = page.getByRole('region', { name: 'Table' }).first();
    const code = page.getByRole('group', { name: 'js' });
    /** How far each edge fades: where one begins to read, and where one ends. */
    const fades = (element: Locator) => style(element, '--parley-fade-start', '--parley-fade-end');
    const fade = (start: string, end: string) => ({ '--parley-fade-start': start, '--parley-fade-end': end });
    for (const each of [table, code]) {
      const away = rtl && each === table ? 'ArrowLeft' : 'ArrowRight';
      await each.scrollIntoViewIfNeeded();
      await expect.poll(() => fades(each)).toEqual(fade('0', '40px'));
      await each.focus();
      await page.keyboard.press(away);
      await expect.poll(() => fades(each)).toEqual(fade('40px', '40px'));
      await each.evaluate(
        (element, left) => element.scrollBy(left ? -9_999 : 9_999, 0),
        away === 'ArrowLeft',
      );
      await expect.poll(() => fades(each)).toEqual(fade('40px', '0px'));
      expect((await style(each, 'mask-image'))['mask-image']).toBe('none');
      await each.blur();
      expect((await style(each, 'mask-image'))['mask-image']).toContain(
        away === 'ArrowLeft' ? 'to left' : 'to right',
      );
    }
    expect(await fades(page.getByRole('region', { name: 'Table' }).last())).toEqual(fade('', ''));
  });

test('in a text that reads from the right, code and addresses read from the left', async ({
  stage: page,
  open,
}) => {
  const answer = 'شغّل `--save` ثم افتح https://example.com/path/ الآن';
  await open({ events: [...asked(1, 'How?'), ...said(1, answer), ...ended(1)], shows: '--save' });
  for (const [name, first, last] of [
    ['code', '-', 'e'],
    ['a', 'h', '/'],
  ] as const) {
    const places = await page.locator(`.markdown ${name}`).evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
      return [0, text.length - 1].map((at) => {
        const range = new Range();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return { sign: range.toString(), x: range.getBoundingClientRect().x };
      });
    });
    expect(places.map(({ sign }) => sign)).toEqual([first, last]);
    expect(places[0]!.x, name).toBeLessThan(places[1]!.x);
  }
});

test('a text that reads from the right does so also where it begins with code', async ({
  stage: page,
  open,
}) => {
  await open({
    events: [...asked(1, 'How?'), ...said(1, '`npm start` يشغّل الخادم'), ...ended(1)],
    shows: 'npm',
  });
  await expect(page.locator('.markdown > div')).toHaveCSS('direction', 'rtl');
});

test('a field that is filled before it can be seen is as high as its text', async ({ stage: page }) => {
  const mock = await startMockService({});
  await page.goto(mock.url);
  await page.waitForFunction(() => 'version' in Object(globalThis.parley));
  await parley(page, 'prefill', 'one\ntwo\nthree\nfour');
  await launcherOf(page).click();
  const { field } = chatIn(page);
  await expect(field).toHaveValue(/four$/);
  await expect.poll(() => field.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  await mock.close();
});

test('a field is as high as its text also once the window is narrower', async ({ stage: page }) => {
  const mock = await startMockService({});
  const lying = { width: 800, height: 380 };
  await page.setViewportSize(lying);
  await page.goto(mock.url);
  await launcherOf(page).click();
  const { field } = chatIn(page);
  await field.fill(
    'What is written on a telephone that lies has more lines when it stands again, and fewer before.',
  );
  const { height } = await box(field);
  await page.setViewportSize({ width: lying.height, height: lying.width });
  await expect.poll(async () => (await box(field)).height).toBeGreaterThan(height);
  expect(await field.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  await page.setViewportSize(lying);
  await expect.poll(async () => (await box(field)).height).toBe(height);
  await mock.close();
});

test('what begins the conversation is in sight in a small panel, and covers no field', async ({
  stage: page,
  open,
}) => {
  await page.setViewportSize({ width: 360, height: 480 });
  const { act: _, ...asking } = states['consent and form']!;
  await open({ ...asking, shows: 'Before we start' });
  const begin = page.getByRole('button', { name: 'Agree and start' });
  await expect(begin).toBeInViewport({ ratio: 1 });
  // What scrolls under it is not seen through it.
  await expect(begin).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  for (const field of await page.locator('.empty .field').all()) {
    await field.focus();
    await expect
      .poll(async () => (await box(field)).y + (await box(field)).height)
      .toBeLessThanOrEqual((await box(begin)).y);
  }
});
