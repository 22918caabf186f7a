import { type UiMessageChunk, uiMessageChunkSchema } from '@parley/protocol/ui-message-chunk';
import { afterAll, expect } from 'vitest';
import { readConfig } from '../config.ts';
import { resolveAgent } from '../resolve-agent.ts';
import { createLogger } from '../logger.ts';
import type { Message } from '../model/message.ts';
import type { Model } from '../model/model.ts';
import { startService } from '../service.ts';
import type { Clock } from '../store/clock.ts';
import { type Answer, request } from './test-service.ts';
import { testStore } from './test-store.ts';
import { type ChatTiming, chatTiming } from '../http/chat/chat-timing.ts';
import { type ServerTimeouts, serverTimeouts } from '../http/connection/server-timeouts.ts';
import { ampleLimits } from './ample-limits.ts';
import { type HeldEndpoint, openHeldEndpoint } from './held-endpoint.ts';

type Fields = Record<string, unknown>;

export const chatPath = '/api/v1/agent/chat';
export const eventStream = { accept: 'text/event-stream' };
export const plainText = { accept: 'text/plain' };

interface ChatService {
  readonly url: string;
  readonly adminToken: string;
  readonly endpoint: HeldEndpoint;
  settings(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer>;
  /** The same with a body that is no JSON. */
  upload(path: string, body: string): Promise<Answer>;
  /** How many messages are accepted so far. */
  accepted(): number;
  /** An agent of a new tenant, or of the given one, with its tools and both kinds of key. */
  agent(script: readonly unknown[], more?: AgentFields): Promise<ChatAgent>;
}

interface AgentFields {
  readonly tenantId?: string;
  readonly agent?: Fields;
  readonly tools?: readonly Fields[];
}

/** The whole service for all tests of a file, with an endpoint that its tools may call, and other hosts that they may. */
export async function chatService(
  timing: Partial<ChatTiming> = {},
  timeouts: ServerTimeouts = serverTimeouts,
  clock?: Clock,
  allowed: readonly string[] = [],
): Promise<ChatService> {
  const stored = await testStore(afterAll);
  const endpoint = await openHeldEndpoint();
  const prompts = new Map<string, Message[][]>();
  const models = new Map<string, Model['stream']>();
  const config = readConfig({
    ...stored.environment,
    PORT: '0',
    EGRESS_ALLOW: [endpoint.host, ...allowed].join(),
  });
  const store = await stored.open(clock);
  const enqueue = store.enqueue.bind(store);
  let accepted = 0;
  store.enqueue = async (message) => {
    const result = await enqueue(message);
    if (result.outcome === 'accepted') accepted += 1;
    return result;
  };
  const service = await startService(config, createLogger('silent'), {
    store,
    chatTiming: { ...chatTiming, ...timing },
    serverTimeouts: timeouts,
    async resolveAgent(parts, session) {
      const runtime = await resolveAgent(parts, session);
      if (!runtime) return null;
      const seen = prompts.get(session.agentId) ?? [];
      prompts.set(session.agentId, seen);
      const { model } = runtime;
      const stream: typeof model.stream = (call) => {
        seen.push([...call.messages]);
        return models.get(session.agentId)?.(call) ?? model.stream(call);
      };
      return { ...runtime, model: { ...model, stream } };
    },
  });
  afterAll(async () => {
    endpoint.close();
    await service.stop();
  });
  const authorization = `Bearer ${service.adminToken.value}`;
  const upload: ChatService['upload'] = (path, body) =>
    request(`${service.url}/api/v1/settings${path}`, { method: 'POST', headers: { authorization }, body });
  const settings: ChatService['settings'] = (method, path, body, signal) =>
    request(`${service.url}/api/v1/settings${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const created = async (path: string, body: Fields) => {
    const answer = await settings('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    url: service.url,
    adminToken: service.adminToken.value,
    endpoint,
    settings,
    upload,
    accepted: () => accepted,
    async agent(script, { tenantId: given, agent = {}, tools = [] } = {}) {
      const tenantId = given ?? (await created('/tenants', { name: 'Tenant' })).id;
      const model = { provider: 'scripted', script };
      const limits = ampleLimits(Object(agent['limits']));
      const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model, ...agent, limits });
      for (const tool of tools) {
        await created('/tools', {
          agentId,
          kind: 'http',
          description: 'A tool',
          parameters: { type: 'object' },
          request: { method: 'POST', url: `${endpoint.url}/${String(tool['name'])}` },
          ...tool,
        });
      }
      const key = (kind: string, fields: Fields = {}) =>
        created('/keys', { tenantId, agentId, kind, ...fields });
      const secret = await key('secret');
      return {
        tenantId,
        agentId,
        secret,
        key,
        prompts: () => prompts.get(agentId) ?? [],
        model: (stream) => void models.set(agentId, stream),
        post: (body, init = {}) => post(service.url, secret.key, body, init),
        resume: (id, init = {}) =>
          request(`${service.url}${chatPath}/${encodeURIComponent(id)}/stream`, {
            headers: { authorization: `Bearer ${init.key ?? secret.key}`, ...init.headers },
          }),
        ask: (id, text, init = {}) => answered(post(service.url, secret.key, { id, text }, init)),
        send: (body, init = {}) => answered(post(service.url, secret.key, body, init)),
      };
    },
  };
}

export interface PostInit {
  readonly accept?: string;
  readonly key?: string;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal;
}

export interface ChatAgent {
  readonly tenantId: string;
  readonly agentId: string;
  readonly secret: { readonly id: string; readonly key: string };
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test reads of an answer is what it asserts
  key(kind: 'secret' | 'publishable', fields?: Fields): Promise<any>;
  /** What the model was called with, call by call. */
  prompts(): readonly (readonly Message[])[];
  /** Another model from now on: for what a script cannot say. */
  model(stream: Model['stream']): void;
  /** The response as it begins; a string body is sent as it is. */
  post(body: unknown, init?: PostInit): Promise<Response>;
  /** The whole answer, JSON parsed. */
  send(body: unknown, init?: PostInit): Promise<Answer>;
  ask(id: string, text: string, init?: PostInit): Promise<Answer>;
  resume(id: string, init?: Pick<PostInit, 'key' | 'headers'>): Promise<Answer>;
}

function post(
  url: string,
  ownKey: string,
  body: unknown,
  { accept, key = ownKey, headers, signal }: PostInit,
): Promise<Response> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
  return fetch(url + chatPath, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: accept ?? 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function answered(sent: Promise<Response>): Promise<Answer> {
  const response = await sent;
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** The chunks of an event stream, each held against the closed schema, and the whole against the order of the contract. */
export function chunksOf(body: string): UiMessageChunk[] {
  const events = body.split('\n\n').filter((event) => event !== '' && event !== ':');
  expect(events.at(-1)).toBe('data: [DONE]');
  const chunks = events.slice(0, -1).map((event) => {
    expect(event).toMatch(/^data: [^\n]*$/);
    return uiMessageChunkSchema.parse(JSON.parse(event.slice('data: '.length)));
  });
  expectOrder(chunks);
  return chunks;
}

export function textOf(chunks: readonly UiMessageChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.delta : '')).join('');
}

export function ofType<Type extends UiMessageChunk['type']>(
  chunks: readonly UiMessageChunk[],
  type: Type,
): Extract<UiMessageChunk, { type: Type }>[] {
  return chunks.filter((chunk): chunk is Extract<UiMessageChunk, { type: Type }> => chunk.type === type);
}

/** What every client may rely on: one start, steps and segments that open and close, one end. */
function expectOrder(chunks: readonly UiMessageChunk[]): void {
  expect(chunks[0]?.type).toBe('start');
  expect(['finish', 'error']).toContain(chunks.at(-1)?.type);
  const whole = chunks.at(-1)?.type === 'finish';
  expect(ofType(chunks, 'start')).toHaveLength(1);
  const open = new Set<string>();
  const ids = new Set<string>();
  let step = false;
  for (const chunk of chunks) {
    switch (chunk.type) {
      case 'start-step':
        expect(step).toBe(false);
        step = true;
        break;
      case 'finish-step':
        expect(step).toBe(true);
        expect(open.size).toBe(0);
        step = false;
        break;
      case 'text-start':
      case 'reasoning-start':
        expect(step).toBe(true);
        expect(ids.has(chunk.id)).toBe(false);
        open.add(chunk.id);
        ids.add(chunk.id);
        break;
      case 'text-delta':
      case 'reasoning-delta':
        expect(open.has(chunk.id)).toBe(true);
        expect(chunk.delta).not.toBe('');
        break;
      case 'text-end':
      case 'reasoning-end':
        expect(open.delete(chunk.id)).toBe(true);
        break;
      case 'finish':
        expect(step).toBe(false);
        expect(open.size).toBe(0);
    }
  }
  if (whole) expect(step).toBe(false);
}

/** The texts of the user's messages in a prompt. */
export function userTexts(prompt: readonly Message[] | undefined): string[] {
  return (prompt ?? []).flatMap(({ role, content }) =>
    role === 'user' ? [typeof content === 'string' ? content : JSON.stringify(content)] : [],
  );
}
