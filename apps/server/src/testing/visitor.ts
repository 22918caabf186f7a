import type { InputRequest } from '@parley/protocol/ask';
import { type EventDataByType, type SessionEvent, sessionEventSchema } from '@parley/protocol/event';
import { afterAll } from 'vitest';
import { readConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import type { Clock } from '../store/clock.ts';
import { type TestStore, testStore } from './test-store.ts';
import { type Answer, request } from './test-service.ts';
import { ampleLimits } from './ample-limits.ts';
import { type ToolEndpoint, openToolEndpoint } from './tool-endpoint.ts';

type Fields = Record<string, unknown>;

export interface SharedService {
  readonly url: string;
  readonly stored: TestStore;
  readonly endpoint: ToolEndpoint;
  settings(method: string, path: string, body?: unknown): Promise<Answer>;
  /** A tenant of its own with one agent, its tools and both kinds of key. */
  agent(script: readonly unknown[], more?: { agent?: Fields; tools?: readonly Fields[] }): Promise<TestAgent>;
}

export interface TestAgent {
  readonly tenantId: string;
  readonly agentId: string;
  readonly publishable: { readonly id: string; readonly key: string };
  readonly secret: { readonly id: string; readonly key: string };
  readonly visitor: Visitor;
}

/** The whole service and a tool endpoint that its tools may call, for all tests of a file. */
export async function sharedService(clock?: Clock): Promise<SharedService> {
  const stored = await testStore(afterAll);
  const endpoint = await openToolEndpoint();
  const config = readConfig({
    ...stored.environment,
    PORT: '0',
    EGRESS_ALLOW: endpoint.host,
  });
  const given = clock && { store: await stored.open(clock) };
  const service = await startService(config, createLogger('fatal'), given);
  afterAll(async () => {
    endpoint.close();
    await service.stop();
  });
  const settings: SharedService['settings'] = (method, path, body) =>
    request(`${service.url}/api/v1/settings${path}`, {
      method,
      headers: { authorization: `Bearer ${service.adminToken.value}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const created = async (path: string, body: Fields) => {
    const answer = await settings('POST', path, body);
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    url: service.url,
    stored,
    endpoint,
    settings,
    async agent(script, { agent = {}, tools = [] } = {}) {
      const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
      const model = { provider: 'scripted', script };
      const limits = ampleLimits(Object(agent['limits']));
      const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model, ...agent, limits });
      for (const tool of tools) await created('/tools', { agentId, ...toolDefaults(endpoint.url, tool) });
      const publishable = await created('/keys', { tenantId, agentId, kind: 'publishable' });
      const secret = await created('/keys', { tenantId, agentId, kind: 'secret' });
      return { tenantId, agentId, publishable, secret, visitor: new Visitor(service.url, publishable.key) };
    },
  };
}

/** A tool that takes a `name` and POSTs to a path called like itself. */
function toolDefaults(url: string, { path, ...tool }: Fields): Fields {
  return {
    kind: 'http',
    description: 'A tool',
    visibility: 'full',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    request: {
      method: 'POST',
      url: url + (typeof path === 'string' ? path : `/${String(tool['name'])}/{{name}}`),
    },
    ...tool,
  };
}

/** Somebody with a key who speaks the Sessions interface. */
export class Visitor {
  readonly base: string;
  readonly headers: Record<string, string>;

  constructor(url: string, key: string) {
    this.base = `${url}/parley/v1/session`;
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return request(this.base + path, {
      method: 'POST',
      headers: { ...this.headers, ...headers },
      body: sent,
    });
  }

  /** A session that has begun with this message. */
  async start(message: unknown, more: Fields = {}): Promise<VisitorSession> {
    const answer = await this.post('', { message, ...more });
    if (answer.status !== 202) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
    return new VisitorSession(this, answer.body.sessionId, answer.body.continuationToken);
  }

  /** What a create (no path) or a follow-up is answered with when it asks for the stream. */
  async stream(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reader> {
    const controller = new AbortController();
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
    const response = await fetch(this.base + path, {
      method: 'POST',
      headers: { ...this.headers, accept: 'application/x-ndjson', ...headers },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    return new Reader(response, controller);
  }

  /** An open stream of the session. */
  async follow(id: string, query = ''): Promise<Reader> {
    const controller = new AbortController();
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test follows the stream from outside
    const response = await fetch(`${this.base}/${id}/stream${query}`, {
      headers: this.headers,
      signal: controller.signal,
    });
    return new Reader(response, controller);
  }
}

export class VisitorSession {
  readonly visitor: Visitor;
  readonly id: string;
  readonly token: string;

  constructor(visitor: Visitor, id: string, token: string) {
    this.visitor = visitor;
    this.id = id;
    this.token = token;
  }

  send(body: Fields, headers: Record<string, string> = {}): Promise<Answer> {
    return this.visitor.post(`/${this.id}`, { continuationToken: this.token, ...body }, headers);
  }

  /** A follow-up that is answered with the stream. */
  stream(body: Fields, headers: Record<string, string> = {}, query = ''): Promise<Reader> {
    return this.visitor.stream(`/${this.id}${query}`, { continuationToken: this.token, ...body }, headers);
  }

  control(which: string): Promise<Answer> {
    return this.visitor.post(`/${which}`, { continuationToken: this.token });
  }

  cancel(body: unknown = ''): Promise<Answer> {
    return this.visitor.post(`/${this.id}/cancel`, body);
  }

  follow(query?: string): Promise<Reader> {
    return this.visitor.follow(this.id, query);
  }

  /** The whole log once the session has waited, or ended, this many times. */
  async log(boundaries: number): Promise<SessionEvent[]> {
    const reader = await this.follow('?soFar=0');
    const events = await reader.boundaries(boundaries);
    reader.close();
    return events;
  }
}

/** Reads an NDJSON response line by line; every event must be one the protocol knows. */
export class Reader {
  readonly response: Response;
  readonly events: SessionEvent[] = [];
  /** Everything received so far. */
  text = '';
  readonly #controller: AbortController;
  readonly #chunks: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(response: Response, controller: AbortController) {
    this.response = response;
    this.#controller = controller;
    this.#chunks = response.body!.getReader();
  }

  /** Reads on until this is true of what has come. */
  async until(done: (reader: Reader) => boolean): Promise<SessionEvent[]> {
    while (!done(this)) {
      if (!(await this.more())) throw new Error(`The stream ended after: ${this.text.slice(-500)}`);
    }
    return this.events;
  }

  boundaries(count: number): Promise<SessionEvent[]> {
    return this.until(({ events }) => events.filter(({ type }) => boundaries.has(type)).length >= count);
  }

  /** Everything up to the end of the response. */
  async rest(): Promise<SessionEvent[]> {
    while (await this.more());
    return this.events;
  }

  async more(): Promise<boolean> {
    const { done, value } = await this.#chunks.read();
    if (done) return false;
    const text = this.#decoder.decode(value, { stream: true });
    this.text += text;
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.events.push(sessionEventSchema.parse(JSON.parse(line)));
    }
    return true;
  }

  close(): void {
    this.#controller.abort();
  }
}

const boundaries = new Set<string>(['session.waiting', 'session.failed', 'session.completed']);

/** The lines that are events. */
export function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

/** The types in order. Neighbouring deltas count once: how a text is cut promises nothing. */
export function typesOf(events: readonly SessionEvent[]): string[] {
  const types = events.map(({ type }) => type);
  return types.filter((type, index) => !type.endsWith('.appended') || type !== types[index - 1]);
}

/** The data of every event of a type. */
export function dataOf<T extends keyof EventDataByType>(
  events: readonly SessionEvent[],
  type: T,
): EventDataByType[T][] {
  // The compiler cannot narrow the union by a generic type.
  return events.flatMap((event) =>
    event.type === type && 'data' in event ? [event.data as EventDataByType[T]] : [],
  );
}

/** What the agent said, one text for every completed message. */
export function said(events: readonly SessionEvent[]): (string | null)[] {
  return dataOf(events, 'message.completed').map(({ message }) => message);
}

/** Everything asked so far. */
export function asked(events: readonly SessionEvent[]): InputRequest[] {
  return dataOf(events, 'input.requested').flatMap(({ requests }) => requests);
}
