import type { ConnectionSettings } from '@parley/protocol/settings/connection';
import { summaryOf, titleOf } from '@parley/protocol/tool-text';
import { expect, test } from 'vitest';
import { connectionDisplays } from './connection-displays.ts';

const mail = { kind: 'mail', name: 'post', approval: 'always' } as ConnectionSettings;
const input = { to: 'ada@example.com', subject: 'Your order', text: 'It is on its way.' };

test.for(['en', 'ar', 'de', 'es', 'fr', 'he', 'ja', 'pt', 'zh'])(
  'whoever approves a mail reads in %s to whom it goes and what it is about',
  (locale) => {
    const displays = connectionDisplays([mail]);
    const pieces = summaryOf('post__send_mail', input, displays, locale) ?? [];
    const told = pieces.flatMap(({ text, isArgument }) => (isArgument ? [text] : []));
    expect(told.toSorted()).toEqual(['Your order', 'ada@example.com']);
    if (locale !== 'en')
      expect(titleOf('post__send_mail', displays, locale)).not.toBe(
        titleOf('post__send_mail', displays, 'en'),
      );
  },
);

test('what needs no approval is not public', () => {
  expect(connectionDisplays([{ ...mail, approval: 'never' } as ConnectionSettings])).toEqual({});
});
