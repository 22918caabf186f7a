import type { MessagePart } from '@parley/protocol/event';
import { fileAddress } from './file-address.ts';

/** The files of a message, as the service has them. */
export function fetchFiles(
  send: typeof fetch,
  baseUrl: string,
  parts: readonly MessagePart[],
): Promise<File[]> {
  const load = async (address: string, name: string, type: string) => {
    const response = await send(address, { credentials: 'omit' });
    if (!response.ok) throw new Error(`The service answered ${response.status}.`);
    return new File([await response.blob()], name, { type });
  };
  return Promise.all(
    parts.flatMap((part) => {
      const address = part.type === 'file' && fileAddress(baseUrl, part.url);
      return address ? load(address, part.filename ?? '', part.mediaType) : [];
    }),
  );
}
