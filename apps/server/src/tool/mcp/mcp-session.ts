import { setImmediate } from 'node:timers/promises';
import { type CallToolResult, createMCPClient, MCPClientError, type MCPClient } from '@ai-sdk/mcp';
import {
  type ListedTool,
  maxConnectionTools,
  maxRemoteNameLength,
} from '@parley/protocol/settings/mcp-connection';
import { EgressDeniedError } from '../../egress/egress-denied-error.ts';
import { networkReason } from '../../egress/network-reason.ts';
import { wasNeverSent } from '../../egress/was-never-sent.ts';
import { maxEvents } from './few-events.ts';
import { McpError } from './mcp-error.ts';
import { cutOffCode, mcpFetch, tooLargeCode, tooManyCode } from './mcp-fetch.ts';
import { asksCode } from './read-message.ts';
import { ShownTokens } from './shown-tokens.ts';
import { type Bearer, withBearer } from './with-bearer.ts';
import { listedTool } from './tool-definition.ts';

/** For what a session begins with: agreeing on a version, and reading the list to its end. */
const beginTimeoutMs = 20_000;
const maxPages = 20;
/** Characters of all definitions together, as JSON. */
const maxListLength = 300_000;

export interface McpEndpoint {
  readonly url: string;
  readonly bearer: Bearer;
}

/** What a server says it can do. */
export interface McpListing {
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly ListedTool[];
  /** What of the list was left out, or null. */
  readonly omitted: string | null;
}

/** One session with a server of tools. Whatever goes wrong is an `McpError`. */
export class McpSession {
  readonly #client: MCPClient;
  readonly #tokens: ShownTokens;

  private constructor(client: MCPClient, tokens: ShownTokens) {
    this.#client = client;
    this.#tokens = tokens;
  }

  static async open(
    { url, bearer }: McpEndpoint,
    fetch: typeof globalThis.fetch,
    version: string,
  ): Promise<McpSession> {
    const tokens = new ShownTokens(bearer);
    const client = await explained(
      tokens,
      createMCPClient({
        transport: {
          type: 'http',
          url,
          fetch: mcpFetch(withBearer(fetch, tokens.bearer)),
        },
        initializationOptions: { timeout: beginTimeoutMs },
        clientName: 'parley',
        version,
      }),
    );
    return new McpSession(client, tokens);
  }

  /** The tools of all pages, as many as are bearable. */
  async list(): Promise<McpListing> {
    if (this.#client.initializeResult.capabilities.tools === undefined)
      throw new McpError('failed', 'The server says that it has no tools.');
    const tools = new Map<string, ListedTool>();
    let omitted: string | null = null;
    let length = 0;
    let cursor: string | undefined;
    const options = { signal: AbortSignal.timeout(beginTimeoutMs) };
    for (let page = 0; ; page++) {
      const params = cursor === undefined ? {} : { params: { cursor } };
      const listed = await explained(this.#tokens, this.#client.listTools({ ...params, options }));
      for (const each of listed.tools) {
        // Patterns of one schema take some milliseconds to compile, and others wait.
        await setImmediate();
        if (each.name === '' || each.name.length > maxRemoteNameLength || tools.has(each.name)) continue;
        const tool = listedTool(each, this.#tokens.redactor);
        if (tools.has(tool.name)) continue;
        length += JSON.stringify(tool).length;
        if (tools.size >= maxConnectionTools || length > maxListLength) {
          omitted = `The server lists more than fits: ${tools.size} of its tools are here, the others are left out.`;
          break;
        }
        tools.set(tool.name, tool);
      }
      cursor = listed.nextCursor;
      if (cursor === undefined || omitted !== null) break;
      if (page + 1 >= maxPages) {
        omitted = `The server’s list goes on after ${maxPages} pages; what follows is left out.`;
        break;
      }
    }
    const { name, version } = this.#client.serverInfo;
    const server = { name: shown(this.redacted(name)), version: shown(this.redacted(version)) };
    return { server, tools: [...tools.values()], omitted };
  }

  call(
    name: string,
    input: Record<string, unknown>,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<CallToolResult> {
    return explained(this.#tokens, this.#client.callTool({ name, arguments: input, options }));
  }

  redacted(text: string): string {
    return this.#tokens.redacted(text);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

const shown = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200)
    .toWellFormed();

async function explained<Result>(tokens: ShownTokens, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw mcpError(error, tokens);
  }
}

/** What went wrong, in a sentence that quotes nothing of the far side but the message of a JSON-RPC error. */
function mcpError(error: unknown, tokens: ShownTokens): McpError {
  const causes = [...causesOf(error)];
  const known = causes.find((cause) => cause instanceof McpError);
  if (known) return known;
  const denied = causes.find((cause) => cause instanceof EgressDeniedError);
  if (denied) return new McpError('denied', denied.message, denied.explanation);
  const answered = causes.find((cause) => MCPClientError.isInstance(cause));
  if (answered?.statusCode !== undefined && answered.statusCode > 299) return ofStatus(answered.statusCode);
  if (answered?.code === tooLargeCode)
    return new McpError('too-large', 'The server answered with more than 1 MB.');
  if (answered?.code === tooManyCode)
    return new McpError('too-large', `The server answered with more than ${maxEvents} messages.`);
  if (answered?.code === cutOffCode)
    return new McpError('no-answer', 'The server closed the connection without an answer.');
  if (answered?.code === asksCode)
    return new McpError(
      'failed',
      'The server asks for something in the middle of a call, which nobody gives it here.',
    );
  if (answered?.code !== undefined)
    return new McpError('failed', `The server refused: ${shown(tokens.redacted(answered.message))}`);
  if (causes.some(({ name, message }) => name === 'TimeoutError' || /timed out/.test(message)))
    return new McpError('timeout', 'The server did not answer in time.');
  if (causes.some(({ name }) => name === 'AbortError'))
    return new McpError('failed', 'The call was cancelled.');
  if (answered?.message.startsWith("Server's protocol version is not supported"))
    return new McpError('failed', 'The server speaks a version of the protocol that is not known here.');
  if (answered)
    return new McpError('no-answer', 'The server does not answer as the Model Context Protocol has it.');
  const last = causes.at(-1);
  return new McpError(wasNeverSent(last) ? 'failed' : 'no-answer', networkReason(last));
}

function ofStatus(status: number): McpError {
  if (status === 401 || status === 403)
    return new McpError('unauthorized', `The server answered ${status}: it does not take this token.`);
  if (status === 404)
    return new McpError('session-ended', 'The server answered 404: nothing is at this address.');
  if (status === 405)
    return new McpError(
      'failed',
      'The server answered 405: it does not speak streamable HTTP at this address.',
    );
  // A gateway that does not wait for the end of a call has passed it on.
  return new McpError(status >= 500 ? 'no-answer' : 'failed', `The server answered ${status}.`);
}

function* causesOf(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth++)
    yield cause;
}
