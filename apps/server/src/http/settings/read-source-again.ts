import type { Resource } from '../../settings/resource.ts';
import { sourceView } from '../../settings/source.ts';
import type { SourceRecord } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** Has a source read again. */
export function readSourceAgainHandlers(
  sources: Pick<Resource<SourceRecord, never, never, object>, 'find'>,
  read: (record: SourceRecord) => Promise<void>,
): Handlers<'readSourceAgain'> {
  return {
    async readSourceAgain({ response, principal, id }) {
      await read(await sources.find(principal, id));
      response.json(sourceView(await sources.find(principal, id)));
    },
  };
}
