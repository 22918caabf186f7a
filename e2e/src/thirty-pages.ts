import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const topics =
  'Delivery Returns Repairs Rentals Tyres Brakes Lights Helmets Locks Children Cargo Tandems Insurance Workshop Courses Tours Maps Vouchers Payment Careers Press Sizes Saddles Baskets Batteries Winter Clubs Racing Polo'.split(
    ' ',
  );
const hours = 'The shop opens at half past eight and closes at six, from Tuesday to Saturday.';

/**
 * A shop on a port of its own; `pasted` stands in each of its pages, which come with its `policy`. It has 31 of them: that 30 were read is what a new
 * agent's bound says, and not that there is no more.
 */
export async function openThirtyPages() {
  const pasted = { html: '', policy: '' };
  const page = (
    title: string,
    body: string,
  ) => `<!doctype html><html lang="en"><head><title>${title} – Harbour Cycles</title>
    <meta property="og:site_name" content="Harbour Cycles"><meta name="theme-color" content="#0f766e">
    <meta name="description" content="Bicycles, repairs and rentals."></head>
    <body><nav><a href="/">Home</a></nav><main><h1>${title}</h1>${body}</main>${pasted.html}</body></html>`;
  const pages = new Map([
    [
      '/',
      () => page('Bikes for everyone', `<p>We sell and mend bicycles of every kind, and lend them too.</p>`),
    ],
    ['/hours', () => page('Opening hours', `<h2>When are you open?</h2><p>${hours}</p>`)],
    ...topics.map((topic): [string, () => string] => [
      `/${topic.toLowerCase()}`,
      () =>
        page(
          topic,
          `<p>All about ${topic.toLowerCase()}: what we have, what it costs and whom to ask about it.</p>`,
        ),
    ]),
  ]);
  const server = createServer(({ url = '' }, response) => {
    const found = pages.get(url.split('?', 1)[0] ?? '');
    if (url === '/sitemap.xml') {
      const locations = [...pages.keys()].map((path) => `<url><loc>${origin}${path}</loc></url>`);
      response.writeHead(200, { 'content-type': 'application/xml' });
      response.end(`<urlset>${locations.join('')}<url><loc>${origin}/closed</loc></url></urlset>`);
    } else if (found) {
      const policy = pasted.policy === '' ? {} : { 'content-security-policy': pasted.policy };
      response.writeHead(200, { 'content-type': 'text/html', ...policy }).end(found());
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return { origin, host: `127.0.0.1:${port}`, pasted, close: () => server.close() };
}
