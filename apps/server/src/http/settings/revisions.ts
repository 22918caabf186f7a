import type { PreviewKeys } from '../../auth/preview-keys.ts';
import type { AgentRevisions } from '../../settings/revision/agent-revisions.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { Handlers } from '../handlers.ts';

type RevisionRoute =
  | 'readDraft'
  | 'updateDraft'
  | 'discardDraft'
  | 'publishDraft'
  | 'listRevisions'
  | 'readRevision'
  | 'restoreRevision'
  | 'openPreview';

interface RevisionHandlersDeps {
  readonly revisions: AgentRevisions;
  readonly previews: PreviewKeys;
}

/** Draft, live, and what was live before. */
export function revisionHandlers({ revisions, previews }: RevisionHandlersDeps): Handlers<RevisionRoute> {
  return {
    async readDraft({ response, principal, id }) {
      response.json(await revisions.readDraft(principal, id));
    },
    async updateDraft({ response, principal, id, body }) {
      response.json(await revisions.updateDraft(principal, id, body));
    },
    async discardDraft({ response, principal, id, query }) {
      await revisions.discardDraft(principal, id, query);
      response.status(204).end();
    },
    async publishDraft({ response, principal, id, body }) {
      response.json(await revisions.publish(principal, id, body));
    },
    async listRevisions({ response, principal, id, query }) {
      response.json(await revisions.list(principal, id, query));
    },
    async readRevision({ request, response, principal, id, query }) {
      const revision = numberOf(request.params);
      response.json(await revisions.read(principal, id, revision, query.compareWith));
    },
    async restoreRevision({ request, response, principal, id, body }) {
      response.json(await revisions.restore(principal, id, numberOf(request.params), body));
    },
    async openPreview({ response, principal, id }) {
      response.status(201).json({ key: await previews.open(principal, id) });
    },
  };
}

function numberOf({ revision }: Readonly<Record<string, unknown>>): number {
  if (typeof revision !== 'string' || !/^[1-9]\d{0,8}$/.test(revision)) throw notFound();
  return Number(revision);
}
