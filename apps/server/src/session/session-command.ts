import { z } from 'zod';
import type { NewEvent } from '../store/event-store.ts';

const namedTurnSchema = z.object({ turnId: z.string().exactOptional(), itemId: z.string().exactOptional() });

/** What an event of any version has: without one of these no log takes it, however often it is tried. */
const newEventSchema = z.looseObject({
  event: z.looseObject({
    type: z.string(),
    meta: z.looseObject({ id: z.string(), at: z.string() }),
  }),
  concealed: z.boolean(),
  itemId: z.string().nullable(),
});

const sessionEndSchema = z.object({
  events: z.array(z.custom<NewEvent>((value) => newEventSchema.safeParse(value).success)).readonly(),
  status: z.enum(['completed', 'failed', 'reset']),
});

/** What is asked of whoever holds a session, as it is stored for them. */
export const commandBodySchema = z.discriminatedUnion('kind', [
  /** Cancels the turn that runs, if it is the one named; a named item that waits, when its turn begins. */
  z.object({ kind: z.literal('cancel'), ...namedTurnSchema.shape }),
  /** The same of a turn that nobody reads in this process any more, unless somebody does in another. */
  z.object({ kind: z.literal('abandon'), itemId: z.string(), process: z.string() }),
  /** Cancels what runs and ends the session. */
  z.object({ kind: z.literal('end'), ...sessionEndSchema.shape }),
]);

export type CommandBody = z.infer<typeof commandBodySchema>;
/** A turn, or the item of the queue that becomes one. */
export type NamedTurn = Readonly<z.infer<typeof namedTurnSchema>>;
export type SessionEnd = Readonly<z.infer<typeof sessionEndSchema>>;

export type CommandOutcome =
  | 'cancelled'
  | 'no-active-turn'
  | 'still-read'
  /** The command ended the session. */
  | 'ended'
  /** Something else ended it. */
  | 'session-ended';
