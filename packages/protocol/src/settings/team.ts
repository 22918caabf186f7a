import { z } from 'zod';

/** Replies that a tenant keeps ready. */
export const maxReplies = 100;

const clock = z
  .string()
  .max(5)
  .regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'Expected a time such as 09:30.');
const day = z
  .strictObject({ from: clock, to: clock })
  .refine(({ from, to }) => from < to, 'Expected an end after the beginning.')
  .nullish()
  .describe('When somebody is there; null: nobody.');

export const weekdays = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;

/** What the team has in common: the replies it keeps ready, when it is there, and what visitors are told when it is not. */
export const teamSettingsSchema = z.strictObject({
  replies: z
    .array(
      z.strictObject({
        name: z.string().trim().min(1).max(100),
        text: z.string().trim().min(1).max(4_000),
      }),
    )
    .max(maxReplies)
    .describe('What members put in instead of writing it again.'),
  hours: z
    .strictObject({
      timeZone: z
        .string()
        .min(1)
        .max(64)
        .refine(isTimeZone, 'Expected a time zone such as Europe/Berlin.')
        .describe('As the IANA names it.'),
      monday: day,
      tuesday: day,
      wednesday: day,
      thursday: day,
      friday: day,
      saturday: day,
      sunday: day,
    })
    .nullable()
    .describe('When somebody of the team is there; null: nobody has said.'),
  awayMessage: z
    .string()
    .trim()
    .min(1)
    .max(1_000)
    .nullable()
    .describe(
      'What a visitor who waits for the team outside of the hours is told, once where they write to a person; null: a sentence of the widget.',
    ),
});

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch {
    return false;
  }
}

export type TeamSettings = z.infer<typeof teamSettingsSchema>;
export type TeamHours = NonNullable<TeamSettings['hours']>;
