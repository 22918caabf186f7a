import { beforeAll, expect, test } from 'vitest';
import { request } from '../../testing/test-service.ts';
import { type SharedService, type Visitor, dataOf, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
let visitor: Visitor;
beforeAll(async () => {
  service = await sharedService();
  const files = { types: ['image/*', 'text/*', 'application/*'] };
  visitor = (await service.agent([{ steps: [{ say: 'ok' }] }], { agent: { files } })).visitor;
});

const mebibyte = 1024 * 1024;
const png = Buffer.from('89504e470d0a1a0a', 'hex');

async function sent(...message: object[]) {
  const session = await visitor.start(message);
  const [received] = dataOf(await session.log(1), 'message.received');
  return received!;
}

async function fetched(url: string | undefined): Promise<{ headers: Headers; bytes: Buffer }> {
  // oxlint-disable-next-line eslint/no-restricted-globals -- a browser loads the file
  const response = await fetch(String(url));
  expect(response.status).toBe(200);
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

test('base64: stored once, named in the log by an address of the service', async () => {
  const { message, parts } = await sent(
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', filename: 'dot.png', data: png.toString('base64') },
  );
  expect(message).toBe('Look:\n[file: dot.png (image/png)]');
  expect(parts).toEqual([
    { type: 'text', text: 'Look:' },
    { type: 'file', mediaType: 'image/png', filename: 'dot.png', size: 8, url: expect.any(String) },
  ]);
  const [, file] = parts;
  const url = file?.type === 'file' ? file.url : undefined;
  expect(url).toMatch(new RegExp(`^${service.url}/parley/v1/file/file_[\\w-]{32}$`));
  const { headers, bytes } = await fetched(url);
  expect(bytes).toEqual(png);
  expect(headers.get('content-type')).toBe('image/png');
  expect(headers.get('content-disposition')).toBe('inline');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin');
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test('a data: URL is stored like any other, and not echoed', async () => {
  const data = `data:image/png;base64,${png.toString('base64')}`;
  const { message, parts } = await sent({ type: 'file', mediaType: 'image/png', data });
  expect(message).toBe('[file: image/png (image/png)]');
  expect(JSON.stringify(parts)).not.toContain(png.toString('base64'));
  const [file] = parts;
  expect((await fetched(file?.type === 'file' ? file.url : undefined)).bytes).toEqual(png);
});

test('an http address stays what it is: nothing is fetched', async () => {
  const url = `${service.endpoint.url}/canary.png`;
  const { parts } = await sent({ type: 'file', mediaType: 'image/png', data: url });
  expect(parts).toEqual([{ type: 'file', mediaType: 'image/png', url }]);
  expect(service.endpoint.calls.filter(({ path }) => path === '/canary.png')).toEqual([]);
});

test('a name is saved in the order that it is written in', async () => {
  const { parts } = await sent({
    type: 'file',
    mediaType: 'application/pdf',
    filename: 'invoice\u202efdp.exe',
    data: 'aGk=',
  });
  const [file] = parts;
  const { headers } = await fetched(file?.type === 'file' ? file.url : undefined);
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''invoicefdp.exe");
});

test.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'image/png; x=y'])(
  '%j is a download of unknown type, never a page of ours',
  async (mediaType) => {
    const data = Buffer.from('<script>alert(1)</script>').toString('base64');
    const { parts } = await sent({ type: 'file', mediaType, filename: `"it's" (a) ünï\r\n.html`, data });
    const [file] = parts;
    const { headers } = await fetched(file?.type === 'file' ? file.url : undefined);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''%22it%27s%22%20%28a%29%20%C3%BCn%C3%AF%0D%0A.html",
    );
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
  },
);

test('an address that was never given out is 404', async () => {
  for (const id of ['x', `file_${'A'.repeat(32)}`, '%2e%2e%2f']) {
    const answer = await request(`${service.url}/parley/v1/file/${id}`);
    expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  }
});

function files(...sizes: number[]): object[] {
  return sizes.map((size) => ({
    type: 'file',
    mediaType: 'application/pdf',
    data: Buffer.alloc(size).toString('base64'),
  }));
}

test('the files of a message have at most 10 MiB together', async () => {
  const answer = await visitor.post('', { message: files(6 * mebibyte, 4 * mebibyte) });
  expect(answer.status).toBe(202);
  const more = await visitor.post('', { message: files(6 * mebibyte, 4 * mebibyte + 1) });
  expect(more).toMatchObject({ status: 413, body: { ok: false, code: 'TOO_LARGE' } });
});

test('a body has 256 KiB, and 16 MiB more only as the content of its files', async () => {
  const most = 256 * 1024;
  const padded = (message: unknown, size: number) => {
    const body = JSON.stringify({ message, padding: '' });
    return body.replace('"padding":""', `"padding":"${'x'.repeat(size - body.length)}"`);
  };
  const tooLarge = {
    status: 413,
    body: { error: 'A JSON body has at most 262144 bytes, the content of its files not counted.' },
  };
  expect((await visitor.post('', padded('hi', most))).status).toBe(202);
  expect(await visitor.post('', padded('hi', most + 1))).toMatchObject(tooLarge);
  const content = files(3_000);
  const encoded = 4_000;
  expect((await visitor.post('', padded(content, most + encoded))).status).toBe(202);
  expect(await visitor.post('', padded(content, most + encoded + 1))).toMatchObject(tooLarge);
  const session = await visitor.start('hi');
  const followUp = { continuationToken: session.token, message: 'x', padding: 'x'.repeat(most) };
  expect(await visitor.post(`/${session.id}`, followUp)).toMatchObject(tooLarge);
  expect(await visitor.post('', { message: files(12 * mebibyte + 3) })).toMatchObject({
    status: 413,
    body: { error: 'The files in a JSON body have at most 16777216 bytes together, as they are sent.' },
  });
});
