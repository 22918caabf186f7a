import type { Prices as PriceTable } from '@parley/protocol/settings/prices';
import type { UsageView } from '@parley/protocol/settings/usage';
import { useState } from 'preact/hooks';
import { changeTenant } from '../api/change-tenant.ts';
import { tenant } from '../api/member.ts';
import { announce } from '../ui/announcement.tsx';
import { Field } from '../ui/field.tsx';
import { Problem } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.ts';
import { changedPrices, priceEntries, pricesOf } from './price-entries.ts';

interface PricesProps {
  readonly used: UsageView['models'];
  readonly onSaved: () => Promise<void>;
}

/** What models cost, as somebody says who has the contract. */
export function Prices({ used, onSaved }: PricesProps) {
  const prices = tenant.value?.prices ?? null;
  const modelIds = [
    ...new Set([
      ...used.map(({ modelId }) => modelId),
      ...(prices?.models ?? []).map(({ modelId }) => modelId),
    ]),
  ].toSorted();
  const unpriced = used.filter(({ priced }) => !priced);
  // Decided once: saving does not close what somebody is still filling in.
  const [isOpen] = useState(prices === null && unpriced.length > 0);
  return (
    <details class="card prices" open={isOpen}>
      <summary>
        <h2>Prices</h2>
        <span class="meta">
          {unpriced.length === 0
            ? 'Every model that was used has a price.'
            : `No price is known of ${unpriced.map(({ modelId }) => modelId).join(', ')}.`}
        </span>
      </summary>
      <p class="meta">
        Parley knows no prices: they change, and depend on your contract. Enter what your providers charge for
        a million tokens; leave a field empty where you do not know it. Past usage is reckoned anew.
      </p>
      {modelIds.length === 0 ? (
        <p class="notice">No model was used in this period.</p>
      ) : (
        <PriceForm key={modelIds.join(' ')} modelIds={modelIds} prices={prices} onSaved={onSaved} />
      )}
    </details>
  );
}

interface PriceFormProps extends Pick<PricesProps, 'onSaved'> {
  readonly modelIds: readonly string[];
  readonly prices: PriceTable | null;
}

function PriceForm({ modelIds, prices, onSaved }: PriceFormProps) {
  const { form, entries, errors, problem, busy, submit, control, reset } = useForm<Record<string, string>>({
    name: `prices of ${tenant.value?.id}`,
    initial: priceEntries(modelIds, prices),
    fieldOf: (path) => (path === 'prices.currency' ? 'currency' : path),
  });
  const save = async (event: Event) => {
    event.preventDefault();
    const of = tenant.value;
    if (!of) return;
    await submit(
      (values) => pricesOf(modelIds, values).errors,
      async (values) => {
        await changeTenant(of.id, ({ prices: now = null }) => ({
          prices: changedPrices(now, modelIds, values, entries),
        }));
        reset();
        await onSaved();
        announce('The prices are saved.');
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={(event) => void save(event)}>
      {problem && <Problem>{problem}</Problem>}
      <div class="currency">
        <Field label="Currency" hint="Such as EUR or USD." error={errors['currency']}>
          <input type="text" maxLength={3} autocomplete="off" spellcheck={false} {...control('currency')} />
        </Field>
      </div>
      {modelIds.map((modelId) => (
        <fieldset key={modelId} class="price">
          <legend>{modelId}</legend>
          <Field label="For a million tokens read" error={errors[`in ${modelId}`]}>
            <input type="text" inputMode="decimal" autocomplete="off" {...control(`in ${modelId}`)} />
          </Field>
          <Field label="For a million tokens written" error={errors[`out ${modelId}`]}>
            <input type="text" inputMode="decimal" autocomplete="off" {...control(`out ${modelId}`)} />
          </Field>
        </fieldset>
      ))}
      <button type="submit" class="button primary" disabled={busy}>
        Save prices
      </button>
    </form>
  );
}
