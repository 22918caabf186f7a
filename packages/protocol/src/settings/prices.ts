import { z } from 'zod';

const perMillion = z.number().nonnegative().max(1_000_000);

/** What the tenant's providers charge. The service knows no prices by itself: they change, and differ by contract. */
export const pricesSchema = z.strictObject({
  currency: z
    .string()
    .max(3)
    .regex(/^[A-Z]{3}$/, 'Expected a currency such as EUR.'),
  models: z
    .array(
      z.strictObject({
        modelId: z.string().min(1).max(200).describe('As the agents name it.'),
        inputPerMillion: perMillion.describe('For a million tokens that the model reads.'),
        outputPerMillion: perMillion.describe('For a million tokens that it writes.'),
      }),
    )
    .max(100),
});

export type Prices = z.infer<typeof pricesSchema>;
