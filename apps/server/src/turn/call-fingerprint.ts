import { createHash } from 'node:crypto';
import type { ServerTool } from '../tool/tool.ts';

/** The same as long as a call would do what it did when it was put into the log. */
export function callFingerprint({ fingerprint }: ServerTool, input: Record<string, unknown>): string {
  return createHash('sha256')
    .update(`${fingerprint}\n${JSON.stringify(input)}`)
    .digest('base64url');
}
