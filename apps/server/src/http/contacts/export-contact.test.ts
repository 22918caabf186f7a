import { defaultPipeline } from '@parley/protocol/settings/pipeline';
import { expect, onTestFinished, test } from 'vitest';
import { enqueueRequest, opening } from '../../store/contract/samples.ts';
import { seed } from '../../store/contract/settings.ts';
import { testStore } from '../../testing/test-store.ts';
import { exportContact } from './export-contact.ts';

test('others are served between the pages of the conversations that are exported', async () => {
  const store = await (await testStore()).open();
  onTestFinished(() => store.close());
  await seed(store);
  const about = {
    id: 'contact_1',
    tenantId: 'tenant_1',
    visitor: 'heron',
    stage: 'new',
    fields: {},
    said: {},
  };
  const contact = { ...about, createdAt: 1, seenAt: 1, revision: 0 };
  // Five pages.
  const conversations = Array.from({ length: 250 }, (_, index) =>
    enqueueRequest({ sessionId: `session_${index}`, open: { ...opening, visitor: 'heron' } }),
  );
  await Promise.all(conversations.map((each) => store.enqueue(each)));
  let served = 0;
  const serve = () => {
    served += 1;
    next = setImmediate(serve);
  };
  let next = setImmediate(serve);
  onTestFinished(() => clearImmediate(next));
  const pieces = exportContact({ store, fileUrl: (id) => id }, contact, defaultPipeline);
  const servedAt: number[] = [];
  let text = '';
  for await (const piece of pieces) {
    servedAt.push(served);
    text += piece;
  }
  expect(servedAt[0]).toBeGreaterThanOrEqual(4);
  expect((JSON.parse(text) as { conversations: unknown }).conversations).toHaveLength(250);
});
