import { beforeAll, expect, test } from 'vitest';
import { type SharedService, dataOf, said, sharedService } from '../../testing/visitor.ts';

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

const ok = { text: ['ok'] };
const picture = {
  type: 'file',
  mediaType: 'image/heic',
  filename: 'a.heic',
  data: Buffer.alloc(60, 7).toString('base64'),
};
const leftOut = '[file: a.heic (image/heic), left out: the model does not take it]';

test('a message with a file that its model refuses is answered without it', async () => {
  const provider = service.endpoint.provider('refused', ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start([{ type: 'text', text: 'Look:' }, picture]);
  const events = await session.log(1);
  expect(said(events)).toEqual(['ok']);
  expect(provider.prompts()).toHaveLength(2);
  expect(JSON.stringify(provider.prompts()[1]?.messages)).toContain(leftOut);
});

test('a file of an earlier message ends no conversation once its model refuses it', async () => {
  const provider = service.endpoint.provider(ok, 'refused', ok);
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start([{ type: 'text', text: 'Look:' }, picture]);
  await session.log(1);
  await session.send({ message: 'And?' });
  expect(said(await session.log(2))).toEqual(['ok', 'ok']);
  expect(JSON.stringify(provider.prompts()[2]?.messages)).toContain(leftOut);
});

test('a message that is refused with its files and without them has failed', async () => {
  const provider = service.endpoint.provider('refused', 'refused');
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start([{ type: 'text', text: 'Look:' }, picture]);
  expect(dataOf(await session.log(1), 'turn.failed')).toMatchObject([{ code: 'MODEL_CALL_FAILED' }]);
  expect(provider.prompts()).toHaveLength(2);
});

test('a message without files that is refused is not sent again', async () => {
  const provider = service.endpoint.provider('refused');
  const { visitor } = await service.agent([], { agent: { model: provider.model } });
  const session = await visitor.start('Hello');
  expect(dataOf(await session.log(1), 'turn.failed')).toMatchObject([{ code: 'MODEL_CALL_FAILED' }]);
  expect(provider.prompts()).toHaveLength(1);
});

test('a model that refuses a file is not sent it again in the steps of the turn', async () => {
  const call = { id: 'c1', name: 'look', input: '{"name":"x"}' };
  const provider = service.endpoint.provider('refused', { call }, ok);
  const { visitor } = await service.agent([], {
    agent: { model: provider.model },
    tools: [{ name: 'look' }],
  });
  const session = await visitor.start([{ type: 'text', text: 'Look:' }, picture]);
  expect(said(await session.log(1))).toEqual(['ok']);
  const sent = provider.prompts().map(({ messages }) => JSON.stringify(messages).includes(picture.data));
  expect(sent).toEqual([true, false, false]);
});

test.each([
  { mediaType: 'image/png', bytes: 40_000, instructions: 20_000 },
  { mediaType: 'image/svg+xml', bytes: 3_000, instructions: 40_000 },
])(
  'a message is answered without a file of $mediaType that has no room beside the instructions',
  async ({ mediaType, bytes, instructions }) => {
    const provider = service.endpoint.limitedProvider(instructions + 2_500, ok);
    const { visitor } = await service.agent([], {
      agent: { model: provider.model, instructions: 'x'.repeat(instructions) },
    });
    const data = Buffer.alloc(bytes, 'x').toString('base64');
    const session = await visitor.start([{ type: 'file', mediaType, filename: 'large', data }]);
    expect(said(await session.log(1))).toEqual(['ok']);
    const sent = JSON.stringify(provider.prompts().at(-1)?.messages);
    expect(sent).toContain(`[file: large (${mediaType}), left out`);
  },
);
