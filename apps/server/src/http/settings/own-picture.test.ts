import { beforeAll, expect, test } from 'vitest';
import { pngOf } from '../../testing/png-of.ts';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { type SharedService, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const png = pngOf(1, 1);

test('a member changes their own picture, and takes it away', async () => {
  const ada = await signedInMember(service, { role: 'viewer', tenantId: null });
  const read = async () => (await ada.call(service, 'GET', '/session/picture')).body;
  expect(await read()).toEqual({ picture: null });
  expect((await ada.call(service, 'POST', '/session/picture', { picture: png })).status).toBe(204);
  expect(await read()).toEqual({ picture: png });
  expect((await ada.call(service, 'POST', '/session/picture', { picture: null })).status).toBe(204);
  expect(await read()).toEqual({ picture: null });
});

test.each([
  ['an SVG, which could be opened as a page of the service', 'data:image/svg+xml;base64,PHN2Zy8+'],
  ['a page', 'data:text/html;base64,PHA+'],
  ['an address elsewhere', 'https://pictures.example/ada.png'],
  ['a long one', `data:image/png;base64,${'A'.repeat(24_000)}`],
  [
    'a page that calls itself a picture',
    `data:image/png;base64,${Buffer.from('<script>').toString('base64')}`,
  ],
  ['one that is as wide as no browser can bear', pngOf(60_000, 1)],
  ['one that is a pixel too high', pngOf(1, 1_025)],
])('%s is no picture of a member', async (_what, picture) => {
  const ada = await signedInMember(service, { role: 'viewer', tenantId: null });
  const answer = await ada.call(service, 'POST', '/session/picture', { picture });
  expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([400, ['picture']]);
});

test('whoever changes their picture again and again is stopped, before the log of changes is full of it', async () => {
  const ada = await signedInMember(service, { role: 'viewer', tenantId: null });
  const change = () => ada.call(service, 'POST', '/session/picture', { picture: pngOf(1_024, 1_024) });
  const answers = await Promise.all(Array.from({ length: 41 }, change));
  // As many in an hour; while they were made another one may have begun.
  expect(answers.filter(({ status }) => status === 204).length).toBeGreaterThanOrEqual(20);
  expect(answers.find(({ status }) => status !== 204)).toMatchObject({
    status: 429,
    body: {
      code: 'QUOTA_EXCEEDED',
      error: expect.stringContaining('The picture was changed too often'),
    },
  });
  const grace = await signedInMember(service, { role: 'viewer', tenantId: null });
  expect((await grace.call(service, 'POST', '/session/picture', { picture: png })).status).toBe(204);
});
