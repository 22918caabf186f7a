import { expect, type Page } from '@playwright/test';
import { startMockService } from './mock-service.ts';
import { test } from './stage.ts';
import { enter, states } from './states.ts';

/**
 * What is drawn otherwise, its animations at their end, when the styles are loaded in the opposite order. The launcher's
 * stays the first, as in the page.
 */
const differences = (page: Page) =>
  page.locator('[data-parley]').evaluate((host) => {
    const root = host.shadowRoot!;
    const looks = () =>
      [...root.querySelectorAll('*')].map((element) => {
        for (const animation of element.getAnimations()) animation.finish();
        const style = getComputedStyle(element);
        return [
          element.className,
          ...[...style].map((name) => `${name}: ${style.getPropertyValue(name)}`),
        ].join('; ');
      });
    const sheets = [...root.adoptedStyleSheets];
    const before = looks();
    root.adoptedStyleSheets = [sheets[0]!, ...sheets.slice(1).toReversed()];
    const after = looks();
    root.adoptedStyleSheets = sheets;
    return before.flatMap((look, index) => (look === after[index] ? [] : [[look, after[index]]]));
  });

for (const name of ['answered', 'several choices', 'menu', 'rated bad', 'files attached', 'consent and form'])
  test(`the order in which styles are loaded decides nothing: ${name}`, async ({ stage }) => {
    const state = states[name]!;
    const service = await startMockService(state);
    await enter(stage, service.url, state);
    expect(await differences(stage)).toEqual([]);
    await service.close();
  });
