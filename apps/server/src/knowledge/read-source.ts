import { setImmediate } from 'node:timers/promises';
import type { SourceReading, SourceSettings } from '@parley/protocol/settings/source';
import type { KnowledgeStore } from '../store/knowledge-store.ts';
import { type Document, indexDocument } from './index-document.ts';

/** A source that holds what it says. */
export type HeldSource = Exclude<SourceSettings, { kind: 'website' | 'file' }>;

export const isHeld = (source: SourceSettings): source is HeldSource =>
  source.kind !== 'website' && source.kind !== 'file';

/** Pages that are written, or removed, at once. */
const batch = 4;

/** Reads a source to its end, in place of what was read of it before. */
export async function readSource(store: KnowledgeStore, source: HeldSource): Promise<SourceReading> {
  return indexDocuments(store, source, documentsOf(source));
}

/** Puts documents in the place of all that was read of a source. */
export async function indexDocuments(
  store: KnowledgeStore,
  { id: sourceId, agentId }: Pick<SourceSettings, 'id' | 'agentId'>,
  documents: readonly Document[],
): Promise<SourceReading> {
  const readAt = new Date(Date.now()).toISOString();
  const reading = await nextReading(store, sourceId);
  let passages = 0;
  for (let start = 0; start < documents.length; start += batch) {
    // Documents without a passage are not written, which would let others have a turn.
    await setImmediate();
    const indexed = await Promise.all(
      documents
        .slice(start, start + batch)
        .map((document) => indexDocument(store, { sourceId, agentId, reading }, document)),
    );
    passages += indexed.reduce((sum, each) => sum + each.passages, 0);
  }
  await removePages(store, sourceId, reading);
  return { status: 'read', pages: documents.length, passages, readAt, problems: [] };
}

/** The number of a reading that begins now: above those before, whatever the clock says, which may be set back or another process's. */
export async function nextReading(
  store: Pick<KnowledgeStore, 'getLastReading'>,
  sourceId: string,
): Promise<number> {
  const last = await store.getLastReading(sourceId);
  return Math.max(Date.now(), (last ?? 0) + 1);
}

/** Removes what was kept of readings before this one. */
export async function removePages(store: KnowledgeStore, sourceId: string, reading: number): Promise<void> {
  while ((await store.removePages(sourceId, { reading, limit: batch })) === batch);
}

function documentsOf(source: HeldSource): readonly Document[] {
  const { name, language = null } = source;
  switch (source.kind) {
    case 'text': {
      const { text, url: address = null } = source;
      return [{ place: 'text', title: name, address, language, version: null, text }];
    }
    case 'faq':
      return source.entries.map(({ question, answer, url: address = null }, index) => ({
        place: `entry ${index}`,
        title: question,
        address,
        language,
        version: null,
        text: answer,
      }));
  }
}
