import type { FilesSettings } from '@parley/protocol/settings/files';
import { fold } from '../fold.ts';
import { isTaken, mediaTypeOf } from './media-type.ts';

/** A message may have this many. */
export const maxFiles = 10;

export const sizeOf = (files: readonly File[]): number => fold(files, 0, (sum, { size }) => sum + size);

/** Why a message with these files cannot have one more; null if it can. */
export function findRejection(
  files: readonly File[],
  file: File,
  { types, totalBytes }: FilesSettings,
): 'refused' | 'surplus' | null {
  const left = totalBytes - sizeOf(files);
  if (!isTaken(mediaTypeOf(file), types) || file.size > left) return 'refused';
  return files.length < maxFiles ? null : 'surplus';
}
