import { z } from 'zod';
import { maxMediaTypeLength } from '../bounds.ts';

const mediaType = z
  .string()
  .max(maxMediaTypeLength)
  .regex(
    /^[A-Za-z0-9][\w!#$&^.+-]*\/(?:\*|[A-Za-z0-9][\w!#$&^.+-]*)$/,
    'Expected a media type such as application/pdf or image/*.',
  );

/** The bytes of all files of one message, at most and unless the agent has another limit. */
const totalBytesLimit = 10 * 1024 * 1024;

/** What files visitors may send to an agent. */
export const filesSchema = z.strictObject({
  types: z
    .array(mediaType)
    .max(50)
    .describe(
      'Media types, `image/*` for every kind of image. None: no files. Others are refused with `UNSUPPORTED_MEDIA_TYPE`.',
    )
    .default(['image/*', 'application/pdf', 'text/*', 'application/json']),
  totalBytes: z
    .int()
    .min(1)
    .max(totalBytesLimit)
    .describe('Bytes of all files of one message together. More are refused with `TOO_LARGE`.')
    .default(totalBytesLimit),
});

export type FilesSettings = z.infer<typeof filesSchema>;
