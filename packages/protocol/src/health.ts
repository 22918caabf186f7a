import { z } from 'zod';

export const healthSchema = z.object({
  ok: z.literal(true),
  status: z.enum(['running', 'draining', 'ready']),
});

export type Health = z.infer<typeof healthSchema>;
