import { z } from 'zod';
import { maxFilenameLength, maxSourceFileBytes } from '../bounds.ts';
import { httpUrl, identifier, name, timestamp, withId } from './field.ts';

// What an agent knows from. A kind has its fields here and its reader in the server's `knowledge/`.

const text = z.string().min(1).max(200_000);
const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'Expected a language such as de or pt-BR.')
  .max(35)
  .describe('The language it is written in.');
export const questionText = z.string().min(1).max(1_000);
export const answerText = z.string().min(1).max(20_000);
/** Entries of one source. */
export const maxEntries = 500;
const entry = z.strictObject({
  question: questionText,
  answer: answerText,
  url: httpUrl.optional(),
});
const entries = z.array(entry).min(1).max(maxEntries);

const common = { name, language: language.optional() };

const textFields = {
  kind: z.literal('text'),
  ...common,
  text: text.describe('Plain text or Markdown, whose headings name its passages.'),
  url: httpUrl.describe('Where a visitor can read it.').optional(),
};
const websiteFields = {
  kind: z.literal('website'),
  ...common,
  url: httpUrl.describe('Its home page, or another page to begin at.'),
  maxPages: z.int().min(1).max(5_000).default(30),
};
const faqFields = { kind: z.literal('faq'), ...common, entries };

const fileFields = {
  kind: z.literal('file'),
  ...common,
  mediaType: z.string().max(100),
  size: z
    .int()
    .min(1)
    .max(maxSourceFileBytes)
    .describe('Bytes of the file, of which the text alone is kept.'),
};

const sent = <const Shape extends z.core.$ZodShape>(shape: Shape) =>
  [
    z.strictObject({ ...shape, ...textFields }),
    z.strictObject({ ...shape, ...faqFields }),
    z.strictObject({ ...shape, ...websiteFields }),
  ] as const;
const kinds = <const Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.discriminatedUnion('kind', [...sent(shape), z.strictObject({ ...shape, ...fileFields })]);

/** A file is sent by itself: its bytes are the body. */
export const sourceCreateSchema = z.discriminatedUnion('kind', sent({ agentId: identifier }));

/** What is stored and read from. */
export const sourceSettingsSchema = kinds({ ...withId, agentId: identifier });

/** How far the reading of a source is, and in words what kept parts of it from being read. */
export const sourceReadingSchema = z.strictObject({
  status: z.enum(['waiting', 'reading', 'read', 'failed']),
  pages: z.int().nonnegative(),
  passages: z.int().nonnegative(),
  /** When the last reading of it ended, or null. */
  readAt: timestamp.nullable(),
  /** What is to be known about it, a sentence each: pages that could not be read, and why. */
  problems: z.array(z.string().max(500)).max(50),
});

export const sourceViewSchema = kinds({
  ...withId,
  agentId: identifier,
  reading: sourceReadingSchema.extend({
    problemCount: z
      .int()
      .nonnegative()
      .describe('How many there are to be known; of many, `problems` has the first and says how many more.'),
  }),
});

const patchFields = { name: name.optional(), language: language.nullish() };

/** A patch does not name its kind: the source has one, and it stays. Fields of another kind are refused. */
export const sourcePatchSchema = z.union([
  z.strictObject({ ...patchFields, text: text.optional(), url: httpUrl.nullish() }),
  z.strictObject({ ...patchFields, entries: entries.optional() }),
  z.strictObject({
    ...patchFields,
    url: httpUrl.optional(),
    maxPages: websiteFields.maxPages.unwrap().nullish(),
  }),
]);

/** Of a file that is sent: whose it is, and what it is called. */
export const sourceFileQuerySchema = z.strictObject({
  agentId: identifier,
  filename: z
    .string()
    .min(1)
    .max(maxFilenameLength)
    .regex(/^\P{Cc}*$/u, 'Expected a name without control characters.'),
});

export type SourceCreate = z.infer<typeof sourceCreateSchema>;
export type SourcePatch = z.infer<typeof sourcePatchSchema>;
export type SourceFile = Omit<Extract<SourceSettings, { kind: 'file' }>, 'id' | 'createdAt'>;
export type SourceSettings = z.infer<typeof sourceSettingsSchema>;
export type SourceReading = z.infer<typeof sourceReadingSchema>;
export type SourceView = z.infer<typeof sourceViewSchema>;
