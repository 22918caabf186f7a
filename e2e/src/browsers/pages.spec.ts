import { expect } from '@playwright/test';
import type {} from '../browser/parley.ts';
import { test } from './journey.ts';
import { launcher, messageField, type Visitor } from './visitor.ts';

/** What the widget's elements look like, one line each. */
const looks = (visitor: Visitor) =>
  visitor.inPage(() => {
    const { shadowRoot } = document.querySelector('[data-parley]')!;
    return [...shadowRoot!.querySelectorAll<HTMLElement>('*')].map((element) => {
      const style = getComputedStyle(element);
      const { margin, fontSize, lineHeight, color, backgroundColor, textAlign, fontWeight, borderColor } =
        style;
      return [element.localName, element.className, element.offsetWidth, margin, fontSize, lineHeight]
        .concat(fontWeight, textAlign, color, backgroundColor, borderColor)
        .join(' ');
    });
  });

const talk = async (visitor: Visitor) => {
  await visitor.clicks(launcher);
  await visitor.hasFocus(messageField);
  await visitor.says('When are you open?');
  await visitor.reads('9:00 to 16:00');
  await visitor.says('Refund order 1042');
  await visitor.sees({ role: 'button', name: 'Approve' });
};

test('a page without a doctype changes nothing of how the chat looks', async ({ visitor, openHost }) => {
  // Higher than the window: in such a page the drivers find nothing below its content.
  const body = '<p style="height: 3000px"></p>';
  await openHost({ body });
  await talk(visitor);
  const standard = await looks(visitor);
  await visitor.inPage(() => globalThis.parley('logout'));
  await visitor.clicks({ role: 'button', name: 'Close' });
  await openHost({ body, doctype: '' });
  await talk(visitor);
  expect(await visitor.inPage(() => document.compatMode)).toBe('BackCompat');
  expect(await looks(visitor)).toEqual(standard);
});

for (const zoom of [0.7, 1.3, 2])
  test(`a page with zoom ${zoom} on its root: all of the panel is within the window`, async ({
    visitor,
    openHost,
  }) => {
    await openHost({ head: `<style>html { zoom: ${zoom} }</style>` });
    await visitor.sees(launcher);
    await visitor.inPage(() => globalThis.parley('open'));
    await visitor.hasFocus(messageField);
    const outside = () =>
      visitor.inPage((factor) => {
        const root = document.querySelector('[data-parley]')!.shadowRoot!;
        // WebKit measures in the units of the zoomed page.
        const unit = navigator.vendor.startsWith('Apple') ? factor : 1;
        return ['.header', '.composer', '.launcher'].filter((selector) => {
          const { left, top, right, bottom } = root.querySelector(selector)!.getBoundingClientRect();
          return Math.min(left, top) < 0 || right * unit > innerWidth + 1 || bottom * unit > innerHeight + 1;
        });
      }, zoom);
    await expect.poll(outside).toEqual([]);
  });

const changed = {
  'a language that Intl does not know': `Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C' });`,
  'a fetch that throws': `window.fetch = () => { throw new Error('Not here.'); };`,
  'a fetch that rejects': `window.fetch = () => Promise.reject(new Error('Not here.'));`,
  'a CustomEvent of its own': `window.CustomEvent = class { constructor(type) { this.type = type; } };`,
  'a CustomEvent of a polyfill': `window.CustomEvent = function (type, given) {
    const event = document.createEvent('CustomEvent');
    event.initCustomEvent(type, given.bubbles, given.cancelable, given.detail);
    return event;
  };`,
  'additions to every object': `
    Object.prototype.extend = function () { return this; };
    Object.prototype.each = function () {};`,
};
for (const [name, head] of Object.entries(changed))
  test(`a page with ${name}`, async ({ visitor, openHost }) => {
    await openHost({ root: '', head: `<script>${head}</script>` });
    await talk(visitor);
    await visitor.clicks({ role: 'button', name: 'Approve' });
    await visitor.doesNotSee({ role: 'button', name: 'Approve' });
    await visitor.reads('order 1042');
  });
