import { expect, test } from 'vitest';
import { changedPrices, priceEntries, pricesOf } from './price-entries.ts';

const prices = {
  currency: 'EUR',
  models: [{ modelId: 'large', inputPerMillion: 2.5, outputPerMillion: 10 }],
};
const ids = ['large', 'small'];

test('what is stored comes back as it was, and a model without a price has none', () => {
  expect(pricesOf(ids, priceEntries(ids, prices))).toEqual({ prices, errors: {} });
  expect(pricesOf(ids, priceEntries(ids, null))).toEqual({ prices: null, errors: {} });
});

test('a comma is a point; half a price and what is no amount are refused at their field', () => {
  const values = { currency: 'eur', 'in large': '2,5', 'out large': '10', 'in small': '1', 'out small': '' };
  expect(pricesOf(['large'], values).prices).toEqual(prices);
  expect(pricesOf(ids, values).errors).toEqual({ 'out small': 'Enter both prices, or neither.' });
  const wrong = pricesOf(ids, { ...values, currency: '€', 'out small': '-1' }).errors;
  expect(Object.keys(wrong)).toEqual(['out small', 'currency']);
});

test('what others have priced meanwhile stays, and so does their currency unless one was entered', () => {
  const small = { modelId: 'small', inputPerMillion: 1, outputPerMillion: 2 };
  const now = { currency: 'USD', models: [{ ...prices.models[0]!, inputPerMillion: 3 }] };
  const entered = { 'in small': '1', 'out small': '2' };
  const values = { ...priceEntries(ids, prices), ...entered };
  expect(changedPrices(now, ids, values, entered)).toEqual({ ...now, models: [...now.models, small] });
  expect(changedPrices(null, ids, values, entered)).toEqual({ currency: 'EUR', models: [small] });
  const chf = { currency: 'chf' };
  expect(changedPrices(now, ids, { ...values, ...chf }, chf)).toEqual({ ...now, currency: 'CHF' });
  const none = { 'in large': '', 'out large': '' };
  expect(changedPrices(now, ['large'], { ...values, ...none }, none)).toBeNull();
});
