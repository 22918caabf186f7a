import type { ConnectionTool } from '@parley/protocol/settings/mcp-connection';

/** What is used of a tool from the next save on; null: nothing. */
export type Choice = { readonly approval: ConnectionTool['approval']; readonly fingerprint: string } | null;
