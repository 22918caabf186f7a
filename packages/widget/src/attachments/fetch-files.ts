import type { Connection } from '@parley/client/connection';
import type { Turn } from '@parley/conversation/transcript/turn';
import { ownAddress } from './own-address.ts';

/** The files of a message, as the service has them. */
export function fetchFiles(connection: Connection, user: NonNullable<Turn['user']>): Promise<File[]> {
  const load = async (address: string, name: string, type: string) => {
    const response = await fetch(address, { credentials: 'omit' });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return new File([await response.blob()], name, { type });
  };
  return Promise.all(
    user.parts.flatMap((part) => {
      const address = part.type === 'file' && ownAddress(connection, part.url);
      return address ? load(address, part.filename ?? '', part.mediaType) : [];
    }),
  );
}
