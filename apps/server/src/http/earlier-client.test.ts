import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testService } from '../testing/test-service.ts';

// `7d1e87a-requests.json` is what the client of that commit, which was the widget's too, sent to the service of that commit
// with a publishable key, and what it was answered: lines of a stream up to where the client left it.
const fixture = join(import.meta.dirname, 'fixtures/7d1e87a-requests.json');
const { script, exchanges } = JSON.parse(readFileSync(fixture, 'utf8')) as {
  readonly script: readonly unknown[];
  readonly exchanges: readonly Exchange[];
};

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly status: number;
  readonly type: string | null;
  /** Lines of a stream, or all of it. */
  readonly answer: readonly string[] | string;
}

/** Ids and tokens of then, and what stands for them now. */
type Names = Map<string, string>;
/** Shorter texts are words of the interface, which may not change. */
const isName = (text: string) => /^[\w.:+/=-]{9,}$/.test(text) && /\d/.test(text);

/** Every field of then is there, and of the same type; ids are remembered. What else there is, is new. */
function compare(then: unknown, now: unknown, at: string, names: Names): void {
  if (typeof then === 'object' && then !== null) {
    expect(now, at).toBeTypeOf('object');
    expect(now, at).not.toBeNull();
    expect(Array.isArray(now), at).toBe(Array.isArray(then));
    for (const [name, value] of Object.entries(then))
      compare(value, (now as Record<string, unknown>)[name], `${at}.${name}`, names);
    return;
  }
  if (typeof then === 'string' && typeof now === 'string' && isName(then)) names.set(then, now);
  else if (typeof then === 'number' || /\.at$|Url$|url$/.test(at)) expect(typeof now, at).toBe(typeof then);
  else expect(now, at).toEqual(then);
}

async function readStream({ body }: Response, isLast: (line: string) => boolean): Promise<string[]> {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const split = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = split.pop() ?? '';
    lines.push(...split.filter((line) => line !== ''));
    if (lines.some(isLast)) break;
  }
  return lines;
}

const typeOf = (line: string) => (JSON.parse(line) as { type: string }).type;
const isDelta = (line: string) => /\.appended$|-delta$/.test(typeOf(line));

/** Lines of then are lines of now, in their order; deltas are counted as one, however a text was cut. */
function compareLines(then: readonly string[], now: readonly string[], at: string, names: Names): void {
  const once = (lines: readonly string[]) =>
    lines.filter(
      (line, index) => !isDelta(line) || index === 0 || typeOf(lines[index - 1]!) !== typeOf(line),
    );
  let next = 0;
  const present = once(now);
  for (const line of once(then)) {
    const found = present.findIndex((other, index) => index >= next && typeOf(other) === typeOf(line));
    expect(found, `${at} has no ${typeOf(line)} where it had one`).toBeGreaterThanOrEqual(next);
    const cut = isDelta(line) ? { type: typeOf(line) } : JSON.parse(line);
    compare(cut, JSON.parse(present[found]!), `${at} ${typeOf(line)}`, names);
    next = found + 1;
  }
}

test('what the client of an earlier version sends is answered as it was, and no field is missing', async () => {
  const service = await testService();
  const created = async (path: string, body: object) => (await service.settings('POST', path, body)).body;
  const { id: tenantId } = await created('/tenants', { name: 'Tenant' });
  const model = { provider: 'scripted', script };
  const { id: agentId } = await created('/agents', { tenantId, name: 'Ada', model });
  const { key } = await created('/keys', { tenantId, agentId, kind: 'publishable' });
  const names: Names = new Map();
  const renamed = (text: string) =>
    [...names]
      // A token has an id in it.
      .toSorted(([one], [other]) => other.length - one.length)
      .reduce((replaced, [then, now]) => replaced.replaceAll(then, now), text);
  let read = 0;

  for (const { method, path, headers, body, status, type, answer } of exchanges) {
    if (path.includes('startIndex=0&')) read = 0;
    const address = renamed(path).replace(/startIndex=\d+/, `startIndex=${read}`);
    const leave = new AbortController();
    // oxlint-disable-next-line eslint/no-restricted-globals -- a test calls the service from outside
    const response = await fetch(service.url + address, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      body: body === null ? null : renamed(body),
      signal: leave.signal,
    });
    const at = `${method} ${path}`;
    expect([response.status, response.headers.get('content-type')?.split(';')[0]], at).toEqual([
      status,
      type,
    ]);
    if (type === 'application/x-ndjson') {
      const lines = await readStream(response, (line) => typeOf(line) === typeOf(answer.at(-1)!));
      leave.abort();
      read += lines.length;
      compareLines(answer as readonly string[], lines, at, names);
    } else if (type === 'text/event-stream') {
      const ended = '[DONE]';
      const text = await response.text();
      const lines = [...text.matchAll(/^data: (.+)$/gm)].map(([, line = '']) => line);
      expect(lines.at(-1)).toBe(ended);
      const then = (answer as readonly string[]).filter((line) => line !== ended);
      compareLines(then, lines.slice(0, -1), at, names);
    } else if (type === 'application/json') {
      compare(JSON.parse(String(answer)), await response.json(), at, names);
    } else {
      expect((await response.text()).length, at).toBeGreaterThan(0);
    }
  }
  expect(names.size).toBeGreaterThan(5);
});
