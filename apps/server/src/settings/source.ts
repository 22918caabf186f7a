import { isDeepStrictEqual } from 'node:util';
import { issueMessage } from '@parley/protocol/issue-message';
import {
  type SourceCreate,
  type SourceFile,
  type SourcePatch,
  type SourceReading,
  type SourceSettings,
  type SourceView,
  sourceReadingSchema,
  sourceSettingsSchema,
  sourceViewSchema,
} from '@parley/protocol/settings/source';
import { z } from 'zod';
import type { SettingsStore, SourceRecord } from '../store/settings-store.ts';
import { newId } from './id.ts';
import { patched } from './patch.ts';
import { problemCount } from './problem-count.ts';
import type { ResourceDefinition } from './resource.ts';
import { SettingsError } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

const unread: SourceReading = { status: 'waiting', pages: 0, passages: 0, readAt: null, problems: [] };

/** Until its text is kept: nobody has the file to read it again. */
const unkept: SourceReading = {
  ...unread,
  status: 'failed',
  problems: ['The service stopped before it was kept. Remove it, and send it again.'],
};

/** What the last reading of a website could not read. */
const unreadPagesSchema = z.strictObject({
  /** Which reading that was. */
  readAt: z.string().nullable(),
  /** When all pages were last looked through for links. */
  followedAt: z.string(),
  addresses: z.array(z.string()).readonly(),
});
export type UnreadPages = z.infer<typeof unreadPagesSchema>;

/** Throws `UnreadableRecordError`. */
export function sourceOf({ id, agentId, name, config, createdAt }: SourceRecord): SourceSettings {
  try {
    return sourceSettingsSchema.parse({ ...Object(config), id, agentId, name, createdAt });
  } catch (error) {
    throw new UnreadableRecordError('source', id, error);
  }
}

export function readingOf(record: SourceRecord): SourceReading {
  return sourceReadingSchema.safeParse(record.reading).data ?? unread;
}

/**
 * What the last reading of a website could not read; null: nobody knows, or it was too much to be kept. `all`: one that was to
 * index every page anew has not come to its end.
 */
export function unreadPagesOf(record: SourceRecord): UnreadPages | 'all' | null {
  if (record.unreadPages === 'all') return 'all';
  const found = unreadPagesSchema.safeParse(record.unreadPages).data;
  // A process of another version may have read it since, and kept none.
  return found?.readAt === readingOf(record).readAt ? found : null;
}

export function sourceView(record: SourceRecord): SourceView {
  const reading = readingOf(record);
  return sourceViewSchema.parse({
    ...sourceOf(record),
    // Not stored: a process of the version before would take a reading with another field for none.
    reading: { ...reading, problemCount: problemCount(reading.problems) },
  });
}

function configOf(settings: SourceSettings): unknown {
  const { id: _id, agentId: _agent, name: _name, createdAt: _at, ...config } = settings;
  return config;
}

interface SourceDeps {
  readonly settings: SettingsStore;
  /** Has what the source says now read, and stores how far that is. */
  readonly read: (record: SourceRecord) => Promise<void>;
  /** Removes all that was read of it. */
  readonly forget: (record: SourceRecord) => Promise<void>;
}

/** With an id where whoever makes it must not make it twice. */
export type NewSource = (SourceCreate | SourceFile) & { readonly id?: string };

export function sourceDefinition({
  settings: { agents, sources },
  read,
  forget,
}: SourceDeps): ResourceDefinition<SourceRecord, NewSource, SourcePatch, SourceView> {
  return {
    kind: 'source',
    nameOf: ({ name }) => name,
    records: sources,
    tenantOf: ({ tenantId }) => tenantId,
    ofTenant: (tenantId) => ({ tenantId }),
    guarded: ['name', 'config'],
    view: sourceView,
    owner: {
      field: 'agentId',
      tenantOf: async ({ agentId }) => (await agents.get(agentId))?.tenantId,
    },
    async create(create, tenantId) {
      const source = { id: newId('source'), createdAt: new Date().toISOString(), ...create };
      const { id, agentId, name, kind, createdAt } = source;
      return {
        record: {
          id,
          tenantId,
          agentId,
          name,
          kind,
          config: configOf(source),
          reading: kind === 'file' ? unkept : unread,
          unreadPages: null,
          createdAt,
        },
      };
    },
    async patch(record, patch) {
      const after = sourceSettingsSchema.safeParse(patched({ ...sourceOf(record) }, { ...patch }), {
        error: issueMessage,
      });
      if (after.success) return { name: after.data.name, config: configOf(after.data) };
      const issues = after.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
      throw new SettingsError('invalid', 'A source of this kind cannot be so.', issues);
    },
    async saved(record, before) {
      // What is known of a website does not say its name.
      const isRenamed =
        before !== null && record.kind === 'website' && isDeepStrictEqual(before.config, record.config);
      if (!isRenamed) await read(record);
    },
    clear: forget,
  };
}
