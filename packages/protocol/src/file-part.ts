import { z } from 'zod';
import { maxAddressLength, maxIdLength } from './bounds.ts';
import { decodeInlineFile, InlineFile } from './inline-file.ts';

/** Where the bytes of a file part are. */
export type FileData = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'url'; url: string };

export type FilePart = { type: 'file'; mediaType: string; filename?: string; data: FileData };

/** A file that was uploaded before: what it is and how large, the service knows. */
export type StoredFilePart = { type: 'file'; data: { kind: 'stored'; fileId: string } };

export const fileUploadedSchema = z.object({
  fileId: z.string(),
  expiresAt: z.iso.datetime().describe('When it goes unless a message has named it.'),
});

export type FileUploaded = z.infer<typeof fileUploadedSchema>;

export const isStoredFile = (part: { type: 'text' } | FilePart | StoredFilePart): part is StoredFilePart =>
  part.type === 'file' && part.data.kind === 'stored';

/** Null for what cannot be the id of a file. */
export function parseStoredFile(fileId: unknown): StoredFilePart | null {
  if (typeof fileId !== 'string' || fileId.length > maxIdLength || !/^[\w-]+$/.test(fileId)) return null;
  return { type: 'file', data: { kind: 'stored', fileId } };
}

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
