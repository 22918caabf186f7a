import { setImmediate } from 'node:timers/promises';
import type { CallToolResult } from '@ai-sdk/mcp';
import type { ComposioSettings } from '@parley/protocol/settings/composio-connection';
import {
  type ListedTool,
  maxConnectionTools,
  maxRemoteNameLength,
} from '@parley/protocol/settings/mcp-connection';
import { jsonFault } from '@parley/protocol/text';
import { z } from 'zod';
import { isActive } from '../../composio/composio-accounts.ts';
import { ComposioError } from '../../composio/composio-error.ts';
import { parseResponse, requestComposio } from '../../composio/request-composio.ts';
import { SignInError } from '../../sign-in/sign-in-error.ts';
import { createRedactor, type Redactor } from '../redact.ts';
import { McpError } from '../mcp/mcp-error.ts';
import type { McpListing } from '../mcp/mcp-session.ts';
import type { RemoteSession } from '../mcp/remote-session.ts';
import { listedTool } from '../mcp/tool-definition.ts';
import { type Bearer, ofSignIn } from '../mcp/with-bearer.ts';

/** For all pages of a list together. */
const listTimeoutMs = 20_000;
const pageSize = 50;
const maxPages = 10;
/** Of one list that are looked at, whatever the page was to have. */
const maxEntries = 500;
/** Characters of all definitions together, as JSON. */
const maxListLength = 300_000;

/** Every entry is judged, and a megabyte of wrong ones takes seconds: those behind the first are let go unread. */
const firstOf = <Entry extends z.ZodType>(entry: Entry) =>
  z
    .array(z.unknown())
    .transform((entries) => entries.slice(0, maxEntries))
    .pipe(z.array(entry));

const listSchema = z.object({
  items: firstOf(
    z.object({
      slug: z.string(),
      name: z.string().nullish(),
      description: z.string().nullish(),
      input_parameters: z.record(z.string(), z.unknown()),
      version: z.string().max(100).optional(),
      tags: firstOf(z.string()).optional(),
    }),
  ),
  next_cursor: z.string().max(2_000).nullish(),
});

const executedSchema = z.object({
  data: z.unknown(),
  error: z.string().nullish(),
  successful: z.boolean(),
});

/** The tools of a toolkit of Composio, for one account. Whatever goes wrong is an `McpError`. */
export class ComposioSession implements RemoteSession {
  readonly #settings: ComposioSettings;
  /** The connected account whose tools they are. */
  readonly #account: Bearer;
  readonly #fetch: typeof globalThis.fetch;
  readonly #redactor: Redactor;
  /** Of each tool that was listed last: what was looked at is what is run. */
  readonly #versions = new Map<string, string>();

  constructor(settings: ComposioSettings, account: Bearer, fetch: typeof globalThis.fetch) {
    this.#settings = settings;
    this.#account = account;
    this.#fetch = fetch;
    this.#redactor = createRedactor({}, [settings.apiKey ?? '']);
  }

  list(): Promise<McpListing> {
    return explained(() => this.#list());
  }

  async #list(): Promise<McpListing> {
    if (this.#settings.signIn === 'agent') await this.#accountId(null);
    const { toolkit } = this.#settings;
    const signal = AbortSignal.timeout(listTimeoutMs);
    const tools = new Map<string, ListedTool>();
    let omitted: string | null = null;
    let length = 0;
    let cursor: string | null = null;
    for (let page = 0; ; page++) {
      const query = new URLSearchParams({ toolkit_slug: toolkit, limit: String(pageSize) });
      query.set('toolkit_versions', 'latest');
      query.set('include_deprecated', 'false');
      if (cursor !== null) query.set('cursor', cursor);
      const answer = await this.#ask('GET', `/tools?${query.toString()}`, signal);
      const listed = parseResponse(listSchema, answer, this.#settings);
      for (const {
        slug,
        name,
        description,
        input_parameters: inputSchema,
        version,
        tags = [],
      } of listed.items) {
        // Patterns of one schema take some milliseconds to compile, and others wait.
        await setImmediate();
        if (slug === '' || slug.length > maxRemoteNameLength || tools.has(slug)) continue;
        const tool = listedTool(
          {
            name: slug,
            title: name ?? undefined,
            description: description ?? undefined,
            inputSchema,
            annotations: Object.fromEntries(hints.map((hint) => [hint, hintOf(hint, tags)])),
          },
          this.#redactor,
        );
        if (tools.has(tool.name)) continue;
        length += JSON.stringify(tool).length;
        if (tools.size >= maxConnectionTools || length > maxListLength) {
          omitted = `The toolkit has more than fits: ${tools.size} of its tools are here, the others are left out.`;
          break;
        }
        tools.set(tool.name, tool);
        if (version !== undefined) this.#versions.set(slug, version);
      }
      cursor = listed.next_cursor ?? null;
      if (cursor === null || omitted !== null) break;
      if (page + 1 >= maxPages) {
        omitted = `The toolkit’s list goes on after ${maxPages} pages; what follows is left out.`;
        break;
      }
    }
    return { server: { name: 'Composio', version: toolkit }, tools: [...tools.values()], omitted };
  }

  call(
    name: string,
    input: Record<string, unknown>,
    { signal, timeout }: { readonly signal: AbortSignal; readonly timeout: number },
  ): Promise<CallToolResult> {
    const until = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
    return explained(() => this.#call(name, input, until));
  }

  async #call(name: string, input: Record<string, unknown>, until: AbortSignal): Promise<CallToolResult> {
    const accountId = this.#settings.signIn === 'none' ? null : await this.#accountId(null);
    const version = this.#versions.get(name);
    const answer = await this.#ask('POST', `/tools/execute/${encodeURIComponent(name)}`, until, {
      arguments: input,
      ...(version !== undefined && { version }),
      ...(accountId === null ? { user_id: this.#settings.id } : { connected_account_id: accountId }),
    });
    const isRefused = answer.status > 299 || Object(answer.body).successful === false;
    // An account that was disconnected over there has to be connected again.
    if (isRefused && accountId !== null && !(await isActive(this.#settings, accountId, this.#fetch, until)))
      await this.#accountId(accountId);
    const { successful, data, error } = parseResponse(executedSchema, answer, this.#settings);
    return successful
      ? { content: [{ type: 'text', text: textOf(data) }] }
      : { content: [{ type: 'text', text: error ?? '' }], isError: true };
  }

  redacted(text: string): string {
    return this.#redactor.text(text);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #accountId(rejected: string | null): Promise<string> {
    try {
      const accountId = await this.#account(rejected);
      if (accountId !== null) return accountId;
    } catch (error) {
      throw error instanceof SignInError ? ofSignIn(error) : error;
    }
    throw new McpError('unauthorized', 'Nobody has connected an account yet.');
  }

  #ask(method: 'GET' | 'POST', path: string, signal: AbortSignal, body?: object) {
    return requestComposio(this.#settings, { method, path, signal, ...(body && { body }) }, this.#fetch);
  }
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint'] as const;

/** Composio says by tags what a tool does; of one that does not say that it only reads, it is taken that it destroys. */
const hintOf = (hint: (typeof hints)[number], tags: readonly string[]): boolean =>
  hint === 'destructiveHint' ? tags.includes(hint) || !tags.includes('readOnlyHint') : tags.includes(hint);

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ComposioError ? new McpError(error.code, error.message) : error;
  }
}

const textOf = (data: unknown): string =>
  data === undefined || data === null
    ? ''
    : jsonFault(data) === null
      ? JSON.stringify(data)
      : '[nested too deep, or with a NUL: not shown]';
