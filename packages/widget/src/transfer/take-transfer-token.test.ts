import { expect, onTestFinished, test, vi } from 'vitest';
import { takeTransferToken } from './take-transfer-token.ts';
import { transferLink } from './transfer-link.ts';

/** A page at an address, and what its history is told. */
function visit(address: string) {
  const replaceState = vi.fn();
  vi.stubGlobal('location', new URL(address));
  vi.stubGlobal('history', { state: { page: 2 }, replaceState });
  onTestFinished(() => void vi.unstubAllGlobals());
  return replaceState;
}

test('the token of a link is taken by the widget with its key, and out of the address', () => {
  visit('https://shop.example/help?lang=de#top');
  const replaceState = visit(transferLink('parley:https://chat.example:8443:pk_sales', 'a-token_1'));
  expect(takeTransferToken('pk_help')).toBe(null);
  expect(replaceState).not.toHaveBeenCalled();
  expect(takeTransferToken('pk_sales')).toBe('a-token_1');
  expect(replaceState.mock.calls).toEqual([[{ page: 2 }, '', 'https://shop.example/help?lang=de']]);
});

test.for(['', '#top', '#parley:a-token_1', '#parley:pk_sales', '#/chat:pk_sales:tab', '#state:pk_sales'])(
  'a page keeps what it has in its fragment: %s',
  (fragment) => {
    const replaceState = visit(`https://shop.example/${fragment}`);
    expect(takeTransferToken('pk_sales')).toBe(null);
    expect(replaceState).not.toHaveBeenCalled();
  },
);
