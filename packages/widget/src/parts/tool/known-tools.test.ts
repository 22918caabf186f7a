import { expect, test } from 'vitest';
import { knownTitle } from './known-tools.ts';

test.for([
  ['search_knowledge', 'de-AT', 'In unseren Informationen suchen'],
  ['contact_update', 'en', 'Note your details'],
  ['doctor__free_slots', 'fr', 'Chercher les créneaux libres'],
  ['post__send_mail', 'ja', 'メールを送信'],
  ['billing_desk__list_invoices', 'he', 'פנייה אל Billing desk'],
  ['billing__other', 'en', 'Request to Billing'],
  ['billing__search_knowledge', 'en', 'Request to Billing'],
  ['billing__to__string', 'nl', 'Request to Billing'],
  ['$&__list', 'en', 'Request to $&'],
])('%s is seen in %s as %s', ([toolName, locale, title]) => {
  expect(knownTitle(toolName!, locale!)).toBe(title);
});

test.for(['refund_order', 'book', 'toString', '__proto__', 'other', ''])(
  'what %o is called its maker has to say',
  (toolName) => {
    expect(knownTitle(toolName, 'de')).toBeNull();
  },
);
