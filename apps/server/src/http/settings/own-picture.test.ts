import { beforeAll, expect, test } from 'vitest';
import { signedInMember } from '../../testing/signed-in-member.ts';
import { type SharedService, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const png = 'data:image/png;base64,iVBORw0KGgo=';

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
])('%s is no picture of a member', async (_what, picture) => {
  const ada = await signedInMember(service, { role: 'viewer', tenantId: null });
  const answer = await ada.call(service, 'POST', '/session/picture', { picture });
  expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([400, ['picture']]);
});
