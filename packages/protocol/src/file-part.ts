import { z } from 'zod';

/** Where the bytes of a file part are. A `data:` URL is taken apart: its bytes come as base64 too. */
export type FileData =
  | { kind: 'base64' | 'data-url'; base64: string; size: number }
  | { kind: 'url'; url: string };

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
  if (typeof fileId !== 'string' || !/^[\w-]{1,64}$/.test(fileId)) return null;
  return { type: 'file', data: { kind: 'stored', fileId } };
}

/** Null when `data` is neither base64 nor a `data:`, http or https URL. */
export function parseFileData(data: string): FileData | null {
  if (/^https?:/i.test(data)) return URL.canParse(data) ? { kind: 'url', url: new URL(data).href } : null;
  if (!/^data:/i.test(data)) return fromBase64('base64', data);
  const comma = data.indexOf(',');
  if (comma === -1) return null;
  const payload = data.slice(comma + 1);
  if (/;\s*base64$/i.test(data.slice(0, comma))) return fromBase64('data-url', percentDecoded(payload));
  return fromBase64('data-url', btoa(percentDecoded(payload)));
}

function fromBase64(kind: 'base64' | 'data-url', text: string): FileData | null {
  const base64 = text.replaceAll(/[\t\n\f\r ]/g, '');
  const digits = base64.replace(/={1,2}$/, '');
  if (digits === '' || digits.length % 4 === 1 || !/^[0-9A-Za-z+/]*$/.test(digits)) return null;
  return { kind, base64, size: Math.floor((digits.length * 3) / 4) };
}

/** Bytes as a string of the characters U+0000 to U+00FF, which is what `btoa` takes. */
function percentDecoded(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\0-\x7f]+/g, encodeURIComponent)
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
