import { z } from 'zod';

const mebibyte = 1024 * 1024;
const limit = z.int().min(1).max(1_000_000_000_000);

function quota(value: number, description: string) {
  return limit.default(value).describe(description);
}

/**
 * What may be had of an agent beyond the turns a minute of a key on Chat. The defaults protect a public page, and
 * are far from what the people behind one address need: a whole company or university may share one. Turns, sessions
 * and tokens are counted in the store, over all processes, in windows that begin with the minute or the day (UTC).
 * Limits by address (IPv6: one /64) and by session are for publishable keys: the visitors of a tenant's own server all
 * come from one address.
 */
export const limitsSchema = z.strictObject({
  sessionsPerMinute: quota(
    600,
    'Sessions started with one key in a minute. Ten a second is more than the busiest page opens, and little to withstand.',
  ),
  sessionsPerKeyPerDay: quota(
    100_000,
    'Sessions started with one key in a day: a page with a million visitors a day of whom every tenth asks something.',
  ),
  sessionsPerAddressPerMinute: quota(
    60,
    'Sessions started from one address in a minute: a lecture hall behind one IPv4 address opens the page at once.',
  ),
  sessionsPerAddressPerDay: quota(
    5_000,
    'Sessions started from one address in a day: every member of a large campus asks once.',
  ),
  turnsPerAddressPerMinute: quota(
    120,
    'Turns begun from one address in a minute: with one message in 20 s, 40 people behind one address write at once.',
  ),
  turnsPerAddressPerDay: quota(
    20_000,
    'Turns begun from one address in a day: 1,000 people behind one address with 20 messages each.',
  ),
  turnsPerSessionPerMinute: quota(
    30,
    'Messages, answers and controls sent to one session in a minute; nobody types one every two seconds for long.',
  ),
  turnsPerSessionPerDay: quota(
    2_000,
    'Messages, answers and controls sent to one session in a day: one every 45 s, around the clock.',
  ),
  turnsPerKeyPerDay: quota(
    500_000,
    'Turns begun with one key in a day: five in each of the sessions that a key may start.',
  ),
  streamsPerSession: quota(
    32,
    'Streams and streamed replies of one session open at once in one process: a person has a few tabs and devices.',
  ),
  streamsPerAddress: quota(
    256,
    'Streams and streamed replies open at once from one address in one process: a stream is open while a chat is.',
  ),
  streamsPerKey: quota(
    10_000,
    'Streams and streamed replies open at once with one key in one process: about what one process serves well.',
  ),
  requestsPerAddressPerMinute: quota(
    1_200,
    'Requests of every kind from one address in a minute, counted in one process: ten for each turn that an address may begin.',
  ),
  uploadsPerAddressPerMinute: quota(
    60,
    'Files uploaded, or sent inside a message, from one address in a minute: as many as sessions may be started from it.',
  ),
  uploadsPerKeyPerDay: quota(50_000, 'Files uploaded, or sent inside a message, with one key in a day.'),
  storedBytesPerAddressPerDay: quota(
    500 * mebibyte,
    'Bytes of files from one address in a day: fifty of the largest messages.',
  ),
  storedBytesPerKeyPerDay: quota(20 * 1024 * mebibyte, 'Bytes of files with one key in a day.'),
  storedBytesPerSession: quota(200 * mebibyte, 'Bytes of all files of one session.'),
  tokensPerDay: quota(
    50_000_000,
    'Input and output tokens of the agent in a day (UTC), the summaries of long conversations among them. An estimate is reserved when a message is accepted, what was used is counted after every model call, and before each the total is asked: what runs at that moment is all that can go beyond the limit.',
  ),
});

export type Limits = z.infer<typeof limitsSchema>;
type LimitName = keyof Limits;

/** Limits left out stay; null restores the default. */
export const limitsPatchSchema = z.strictObject(
  Object.fromEntries(Object.keys(limitsSchema.shape).map((name) => [name, limit.nullish()])) as Record<
    LimitName,
    z.ZodOptional<z.ZodNullable<typeof limit>>
  >,
);
