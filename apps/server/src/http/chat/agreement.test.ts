import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chatService, chunksOf, eventStream, ofType, plainText, textOf } from '../../testing/chat-service.ts';

const service = await chatService();
service.endpoint.answers('/look_up', { found: 'an owl' });
service.endpoint.answers('/broken', 'out of order', 500);

const input = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };
const tools = [
  { name: 'look_up', parameters: input },
  { name: 'broken', parameters: input },
  { name: 'approved', parameters: input, approval: 'always' },
];

/** Any text a script may hold, but for placeholders. */
const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((value) => !value.includes('\0') && !value.includes('{{') && value.isWellFormed());

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ say: text, repeat: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ reason: text }) },
  {
    weight: 3,
    arbitrary: fc.record({
      call: fc.constantFrom('look_up', 'broken', 'approved', 'missing'),
      input: fc.oneof(fc.record({ word: text }), fc.constant({ word: 7 }), fc.constant({})),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ ask: { prompt: 'Which?', allowFreeform: true } }) },
  { weight: 1, arbitrary: fc.record({ finish: fc.constantFrom('stop', 'length', 'content-filter') }) },
);

test('whatever an agent says and does, the three modes say the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (steps, approvalsOnChat) => {
        const agent = await service.agent([{ steps }], {
          tools,
          agent: { approvalsOnChat, reasoning: { show: true } },
        });
        const [json, plain, events] = await Promise.all([
          agent.ask('json', 'go'),
          agent.ask('plain', 'go', plainText),
          agent.ask('events', 'go', eventStream),
        ]);
        expect([json!.status, plain!.status, events!.status]).toEqual([200, 200, 200]);
        const chunks = chunksOf(events!.body);
        expect(textOf(chunks)).toBe(json!.body.text);
        expect(plain!.body).toBe(json!.body.text);

        const started = ofType(chunks, 'tool-input-start').map(({ toolCallId }) => toolCallId);
        expect(new Set(started).size).toBe(started.length);
        const ended = [
          ...ofType(chunks, 'tool-output-available'),
          ...ofType(chunks, 'tool-output-error'),
          ...ofType(chunks, 'tool-approval-request'),
        ].map(({ toolCallId }) => toolCallId);
        const questions = ofType(chunks, 'tool-input-available').filter(
          ({ toolName }) => toolName === 'ask_question',
        );
        expect([...ended, ...questions.map(({ toolCallId }) => toolCallId)].toSorted()).toEqual(
          started.toSorted(),
        );
      },
    ),
    { numRuns: 60 },
  );
});
