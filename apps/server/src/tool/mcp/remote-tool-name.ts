import { createHash } from 'node:crypto';

const maxLength = 64;
const digestLength = 8;

/** What a model calls a connection's tool: no two tools of a connection have one name, and every provider takes it. */
export function remoteToolName(connection: string, tool: string): string {
  const plain = `${connection}__${tool}`;
  if (plain.length <= maxLength && /^[\w-]+$/.test(tool)) return plain;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, digestLength);
  const readable = plain.replaceAll(/[^\w-]/g, '_').slice(0, maxLength - digestLength - 1);
  return `${readable}_${digest}`;
}
