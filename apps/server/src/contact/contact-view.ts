import type { ContactView } from '@parley/protocol/settings/contact';
import type { Pipeline } from '@parley/protocol/settings/pipeline';
import type { ContactRecord } from '../store/contact-store.ts';
import { stageOf } from './stage-of.ts';

export function contactView(
  { revision: _revision, createdAt, seenAt, ...contact }: ContactRecord,
  { stages }: Pipeline,
): ContactView {
  return {
    ...contact,
    stage: stageOf(contact, stages),
    createdAt: new Date(createdAt).toISOString(),
    seenAt: new Date(seenAt).toISOString(),
  };
}
