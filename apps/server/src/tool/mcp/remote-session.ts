import type { CallToolResult } from '@ai-sdk/mcp';
import type { McpListing } from './mcp-session.ts';

/** With a server that lists tools and runs them. Whatever goes wrong is an `McpError`. */
export interface RemoteSession {
  list(): Promise<McpListing>;
  call(
    name: string,
    input: Record<string, unknown>,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<CallToolResult>;
  /** What came from there, without the credential that the server was shown. */
  redacted(text: string): string;
  close(): Promise<void>;
}
