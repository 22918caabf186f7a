import type { Prices } from '@parley/protocol/settings/prices';

type Entries = Readonly<Record<string, string>>;

/** A field for each price of each model: `in <model>` and `out <model>`, empty where none is known. */
export function priceEntries(modelIds: readonly string[], prices: Prices | null): Record<string, string> {
  const entries: Record<string, string> = { currency: prices?.currency ?? 'USD' };
  for (const modelId of modelIds) {
    const price = prices?.models.find((each) => each.modelId === modelId);
    entries[`in ${modelId}`] = price ? String(price.inputPerMillion) : '';
    entries[`out ${modelId}`] = price ? String(price.outputPerMillion) : '';
  }
  return entries;
}

/** What the fields say, and what is wrong with them. A model without any price has none. */
export function pricesOf(
  modelIds: readonly string[],
  values: Entries,
): { readonly prices: Prices | null; readonly errors: Entries } {
  const errors: Record<string, string> = {};
  const amount = (field: string): number => {
    const text = (values[field] ?? '').trim().replace(',', '.');
    if (text === '') errors[field] = 'Enter both prices, or neither.';
    else if (!/^\d{1,6}(?:\.\d{1,9})?$/.test(text)) errors[field] = 'Enter an amount such as 2.50.';
    return Number(text);
  };
  const isPriced = (modelId: string) =>
    [`in ${modelId}`, `out ${modelId}`].some((field) => (values[field] ?? '').trim() !== '');
  const models = modelIds.filter(isPriced).map((modelId) => ({
    modelId,
    inputPerMillion: amount(`in ${modelId}`),
    outputPerMillion: amount(`out ${modelId}`),
  }));
  const currency = currencyOf(values);
  if (!/^[A-Z]{3}$/.test(currency)) errors['currency'] = 'Enter three letters such as EUR.';
  return { prices: models.length === 0 ? null : { currency, models }, errors };
}

/** The prices as they are by now, with those of the models that something was entered of, and a currency that was. */
export function changedPrices(
  now: Prices | null,
  modelIds: readonly string[],
  values: Entries,
  entered: Partial<Entries>,
): Prices | null {
  const isEntered = ({ modelId }: { readonly modelId: string }) =>
    `in ${modelId}` in entered || `out ${modelId}` in entered;
  const models = [
    ...(now?.models ?? []).filter((price) => !isEntered(price)),
    ...(pricesOf(modelIds, values).prices?.models ?? []).filter(isEntered),
  ];
  const currency = now === null || 'currency' in entered ? currencyOf(values) : now.currency;
  return models.length === 0 ? null : { currency, models };
}

const currencyOf = (values: Entries): string => (values['currency'] ?? '').trim().toUpperCase();
