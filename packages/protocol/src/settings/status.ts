import { z } from 'zod';

const count = z.number().int().nonnegative();

const connectionStatusSchema = z.object({
  open: count,
  accepted: count.describe('Since the process began, as all that follow.'),
  dropped: count.describe('Over the limit of connections, in all or of one address.'),
  timedOut: count.describe('Ended because their requests were not sent in time.'),
  stuck: count.describe('Ended because their clients took nothing of a response that waited.'),
});

export const serviceStatusSchema = z.object({
  connections: connectionStatusSchema,
  streams: z.object({
    open: count.describe('Session streams.'),
    behind: count.describe('Of these, the streams whose readers have not taken what was sent.'),
  }),
});

export type ConnectionStatus = z.infer<typeof connectionStatusSchema>;
export type ServiceStatus = z.infer<typeof serviceStatusSchema>;
