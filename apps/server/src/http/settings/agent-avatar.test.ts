import { beforeAll, expect, test } from 'vitest';
import { pngOf } from '../../testing/png-of.ts';
import { type SharedService, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

/** What becomes of an avatar in a new agent, in a change of it and in its draft. */
async function sent(avatar: string) {
  const { tenantId, agentId } = await service.agent([]);
  const widget = { widget: { avatar } };
  const model = { provider: 'scripted', script: [] };
  return Promise.all([
    service.settings('POST', '/agents', { tenantId, name: 'Ada', model, ...widget }),
    service.settings('PATCH', `/agents/${agentId}`, widget),
    service.settings('PATCH', `/agents/${agentId}/draft`, widget),
  ]);
}

test.each([
  [
    'one that takes a browser 14 GB',
    pngOf(60_000, 60_000),
    'Expected at most 1024 pixels a side. It has 60000.',
  ],
  ['one that is a pixel too wide', pngOf(1_025, 1), 'Expected at most 1024 pixels a side. It has 1025.'],
  [
    'one of another type, which browsers draw all the same',
    `data:image/png;base64,${Buffer.from('GIF89a').toString('base64')}`,
    'It is no picture of the type that it names.',
  ],
  [
    'a picture of pixels that calls itself a drawing',
    pngOf(60_000, 60_000).replace('png', 'svg+xml'),
    'It is no picture of the type that it names.',
  ],
])('%s is no avatar of an agent', async (_what, avatar, message) => {
  for (const { status, body } of await sent(avatar))
    expect([status, body.issues]).toEqual([400, [{ path: ['widget', 'avatar'], message }]]);
});

test.each([
  ['the largest', pngOf(1_024, 1_024)],
  ['a drawing', 'data:image/svg+xml;base64,PHN2Zy8+'],
  ['one behind a byte order mark', `data:image/svg+xml;base64,${btoa('\xef\xbb\xbf\r\n\t <svg/>')}`],
])('%s is one', async (_what, avatar) => {
  expect((await sent(avatar)).map(({ status }) => status)).toEqual([201, 200, 200]);
});
