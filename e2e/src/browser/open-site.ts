import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page of another origin that holds what somebody pasted into it. */
export async function openSite() {
  const pasted = { html: '' };
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1>${pasted.html}</html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, pasted, close: () => server.close() };
}
