import { maxAddressLength } from './bounds.ts';
import { decodeInlineFile, InlineFile } from './inline-file.ts';

/** Where the bytes of a file part are. */
export type FileData = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'url'; url: string };

export type FilePart = { type: 'file'; mediaType: string; filename?: string; data: FileData };

/** Why a file part's data cannot be read: `form` when it is neither base64 nor a `data:`, http or https URL. */
export type FileDataFault = 'form' | 'length';

/** The data of a file part: as JSON has it, or decoded while the body came in. */
export function parseFileData(data: string | InlineFile): FileData | FileDataFault {
  if (typeof data === 'string' && /^https?:/i.test(data)) {
    if (data.length > maxAddressLength) return 'length';
    if (!URL.canParse(data)) return 'form';
    const url = new URL(data).href;
    return url.length > maxAddressLength ? 'length' : { kind: 'url', url };
  }
  const { bytes } = typeof data === 'string' ? decodeInlineFile(data) : data;
  return bytes === null ? 'form' : { kind: 'bytes', bytes };
}
