import { z } from 'zod';
import { approval, connectionFields, connectionPatchFields } from './connection-fields.ts';
import { identifier, withId } from './field.ts';

const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
};

const timeOfDay = (pattern: RegExp) =>
  z.string().max(5).regex(pattern, 'Expected a time in steps of five minutes, such as 09:05.');

const workingHours = (pattern: RegExp) =>
  z
    .array(
      z
        .strictObject({
          days: z.array(z.int().min(1).max(7)).min(1).max(7).describe('1 is Monday, 7 is Sunday.'),
          from: timeOfDay(pattern),
          to: timeOfDay(pattern),
        })
        .refine(({ from, to }) => from < to, {
          path: ['to'],
          error: 'Expected a later time than it begins at.',
        }),
    )
    .max(21);

const entered = workingHours(/^(?:[01]\d|2[0-3]):[0-5][05]$|^24:00$/);
const usual = [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }];
/** Earlier versions took any minute. */
const stored = workingHours(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/).default(usual);

const fields = {
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'Expected a time zone such as Europe/Berlin.')
    .describe('Of the working hours.'),
  hours: entered.default(usual),
  minutes: z.int().min(5).max(480).multipleOf(5).default(30).describe('How long an appointment is.'),
  noticeMinutes: z
    .int()
    .min(0)
    .max(43_200)
    .default(60)
    .describe('How long before it begins one is booked at the latest.'),
  horizonDays: z.int().min(1).max(90).default(30).describe('How far ahead one is booked.'),
  bookingsPerConversation: z
    .int()
    .min(1)
    .max(100)
    .default(3)
    .describe(
      'How many appointments are booked in one conversation at most, those that were cancelled included.',
    ),
  title: z.string().min(1).max(200).default('Appointment'),
  location: z.string().max(500).default(''),
  approval: approval.default('always').describe('Before an appointment is booked, moved or cancelled.'),
};

export const calendarCreateSchema = z.strictObject({
  agentId: identifier,
  kind: z.literal('calendar'),
  ...connectionFields,
  ...fields,
});

/** What is stored and used at run time. */
export const calendarSettingsSchema = z.strictObject({
  ...withId,
  ...calendarCreateSchema.shape,
  hours: stored,
  /** Counts the addresses that its feed has had. */
  feedVersion: z.int().min(0).max(1_000_000),
});

export const calendarViewSchema = z.strictObject({
  ...withId,
  ...calendarCreateSchema.shape,
  hours: stored,
  feedUrl: z.string().describe('Where calendars subscribe to it; whoever has the address reads it.'),
});

/** Fields left out stay; null restores the default. */
export const calendarPatchSchema = z.strictObject({
  ...connectionPatchFields,
  timeZone: fields.timeZone.optional(),
  hours: fields.hours.unwrap().nullish(),
  minutes: fields.minutes.unwrap().nullish(),
  noticeMinutes: fields.noticeMinutes.unwrap().nullish(),
  horizonDays: fields.horizonDays.unwrap().nullish(),
  bookingsPerConversation: fields.bookingsPerConversation.unwrap().nullish(),
  title: fields.title.unwrap().nullish(),
  location: fields.location.unwrap().nullish(),
  approval: fields.approval.unwrap().nullish(),
  newFeedUrl: z
    .literal(true)
    .describe('Gives its feed another address; nobody reads it at the old one.')
    .optional(),
});

export type CalendarSettings = z.infer<typeof calendarSettingsSchema>;
export type CalendarView = z.infer<typeof calendarViewSchema>;
