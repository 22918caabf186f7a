import { maxSourceFileBytes } from '@parley/protocol/bounds';
import type { SourceCreate, SourceFile, SourceView } from '@parley/protocol/settings/source';
import type { Request } from 'express';
import type { Knowledge } from '../../knowledge/knowledge.ts';
import { sourceFileQuotas } from '../../limit/page-quotas.ts';
import type { Resource } from '../../settings/resource.ts';
import { sourceView } from '../../settings/source.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { SourceRecord } from '../../store/settings-store.ts';
import { uploadBody } from '../body/upload-body.ts';
import type { Handlers } from '../handlers.ts';
import { notValid } from '../parse.ts';
import { ProblemError } from '../problem.ts';
import { countQuotas } from './count-quotas.ts';

/** Files that one process holds in memory at once, and those of one tenant, which may send them slowly. */
const maxAtOnce = 4;
const maxOfTenant = 2;
const maxName = 200;

interface SourceFileDeps {
  readonly agents: Pick<Resource<AgentRecord, never, never, object>, 'find'>;
  readonly sources: Pick<
    Resource<SourceRecord, SourceCreate | SourceFile, never, SourceView>,
    'create' | 'find'
  >;
  readonly knowledge: Pick<Knowledge, 'readFile' | 'keepFile'>;
  readonly limits: Pick<LimitStore, 'countQuotas'>;
}

/** The body is one file, whose text becomes a source. */
export function sourceFileHandlers({
  agents,
  sources,
  knowledge,
  limits,
}: SourceFileDeps): Handlers<'uploadSource'> {
  const open: string[] = [];
  /** The last place is for a tenant that has none: two that send slowly do not keep all others waiting. */
  const hasRoomFor = (tenantId: string) => {
    const ofTenant = open.filter((each) => each === tenantId).length;
    return open.length < (ofTenant === 0 ? maxAtOnce : maxAtOnce - 1) && ofTenant < maxOfTenant;
  };
  return {
    async uploadSource({ request, response, principal, query: { agentId, filename } }) {
      const { tenantId } = await agents.find(principal, agentId);
      await countQuotas(limits, sourceFileQuotas(principal));
      if (!hasRoomFor(tenantId))
        throw new ProblemError('QUOTA_EXCEEDED', 'Other files are being read. Try again in a moment.', {
          retryAfter: 5,
        });
      open.push(tenantId);
      try {
        const bytes = await bytesOf(request);
        const mediaType = (request.headers['content-type'] ?? '').slice(0, 100);
        const read = await knowledge.readFile(tenantId, { filename, mediaType, bytes });
        if (typeof read === 'string') throw notValid([{ path: ['file'], message: read }]);
        const name = filename.trim().slice(0, maxName).toWellFormed() || 'File';
        const { id } = await sources.create(principal, {
          agentId,
          kind: 'file',
          name,
          mediaType,
          size: bytes.length,
        });
        await knowledge.keepFile(await sources.find(principal, id), read);
        response.status(201).json(sourceView(await sources.find(principal, id)));
      } finally {
        open.splice(open.indexOf(tenantId), 1);
      }
    },
  };
}

async function bytesOf(request: Request): Promise<Buffer> {
  const reject = (size: number) => {
    if (size > maxSourceFileBytes)
      throw new ProblemError('TOO_LARGE', 'The file is larger than 20 MB. Send it in parts.');
  };
  reject(Number(request.headers['content-length'] ?? 0));
  const chunks: Buffer[] = [];
  // A chunk is filled again once the next is asked for.
  for await (const chunk of uploadBody(request, reject)) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
