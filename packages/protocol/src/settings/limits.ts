import { z } from 'zod';

const mebibyte = 1024 * 1024;
const quota = (value: number) => z.int().min(1).max(1_000_000_000_000).default(value);

/** Quotas beyond the 60 turns a minute of every key, counted in the store over all processes. */
export const limitsSchema = z.strictObject({
  /** Sessions started with one key in any 60 s. */
  sessionsPerMinute: quota(100_000),
  /** Sessions started from one network address (IPv6: one /64) in any 60 s. */
  sessionsPerAddressPerMinute: quota(100_000),
  turnsPerSession: quota(10_000),
  /** Streams of one session open at once. */
  streamsPerSession: quota(10_000),
  /** Input and output tokens of the agent in any 24 h. */
  tokensPerDay: quota(10_000_000_000),
  /** Files uploaded, or sent inside a message, from one network address in any 60 s; none for a secret key. */
  uploadsPerAddressPerMinute: quota(60),
  /** Files uploaded, or sent inside a message, with one key in any 24 h. */
  uploadsPerKeyPerDay: quota(50_000),
  /** Bytes of files from one network address in any 24 h; none for a secret key. */
  storedBytesPerAddressPerDay: quota(500 * mebibyte),
  /** Bytes of files with one key in any 24 h. */
  storedBytesPerKeyPerDay: quota(20 * 1024 * mebibyte),
  /** Bytes of all files of one session. */
  storedBytesPerSession: quota(200 * mebibyte),
});

export type Limits = z.infer<typeof limitsSchema>;
