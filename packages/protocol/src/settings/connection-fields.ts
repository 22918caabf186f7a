import { z } from 'zod';

const connectionName = z
  .string()
  .max(24)
  .regex(/^[a-z][a-z0-9-]{0,23}$/, 'Expected a small letter, then up to 23 small letters, digits or -.')
  .describe('Stands before the names of its tools. One of its own in every agent.');

/** Who is asked before a tool runs: nobody, or whoever talks to the agent. */
export const approval = z.enum(['never', 'once', 'always']);

/** What every connection has. */
export const connectionFields = {
  name: connectionName,
  callsPerMinute: z.int().min(1).max(6_000).default(60).describe('Calls of all its tools together.'),
};

export const connectionPatchFields = {
  name: connectionName.optional(),
  callsPerMinute: connectionFields.callsPerMinute.unwrap().nullish(),
};
