import { Agent, type IncomingMessage, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

interface Call {
  readonly method: 'GET' | 'POST';
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A call by node:http: `fetch` would spend more in the client than the server takes. */
export function open(url: string, { method, key, body, headers }: Call): Promise<IncomingMessage> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method,
        agent,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          ...(payload && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      },
      resolve,
    );
    call.once('error', reject);
    call.end(payload);
  });
}

export async function callJson<Answer>(url: string, call: Call): Promise<Answer> {
  const response = await open(url, call);
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response as AsyncIterable<string>) text += chunk;
  if ((response.statusCode ?? 500) >= 300)
    throw new Error(`${call.method} ${url}: ${response.statusCode} ${text}`);
  return JSON.parse(text) as Answer;
}

/** Reads the stream of a session until a line contains `last`; `onLine` sees every line. Then it hangs up. */
export async function readUntil(
  url: string,
  key: string,
  last: string,
  onLine: (line: string) => void,
): Promise<void> {
  await readLines(await open(url, { method: 'GET', key }), last, onLine);
}

/** The same of a response that has begun. Throws for a refusal, and for one that ends before. */
export async function readLines(
  response: IncomingMessage,
  last: string,
  onLine: (line: string) => void,
): Promise<void> {
  response.setEncoding('utf8');
  let rest = '';
  for await (const chunk of response as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') continue;
      onLine(line);
      if (line.includes(last)) return;
    }
  }
  throw new Error(`${response.statusCode}: the stream ended before ${last}. ${rest}`);
}
