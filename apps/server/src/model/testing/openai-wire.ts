import { malformedEvent, serverSentEvent, type Wire, type WireReply } from './wire.ts';

const encrypted = 'encrypted-reasoning';

const reasoningEvents = (text: string) => [
  {
    type: 'response.output_item.added',
    output_index: 0,
    item: { type: 'reasoning', id: 'rs_1', encrypted_content: null },
  },
  { type: 'response.reasoning_summary_part.added', item_id: 'rs_1', summary_index: 0 },
  { type: 'response.reasoning_summary_text.delta', item_id: 'rs_1', summary_index: 0, delta: text },
  { type: 'response.reasoning_summary_part.done', item_id: 'rs_1', summary_index: 0 },
  {
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'reasoning', id: 'rs_1', encrypted_content: encrypted },
  },
];

const textEvents = (text: readonly string[]) => [
  { type: 'response.output_item.added', output_index: 1, item: { type: 'message', id: 'msg_1' } },
  ...text.map((delta) => ({ type: 'response.output_text.delta', item_id: 'msg_1', output_index: 1, delta })),
  { type: 'response.output_item.done', output_index: 1, item: { type: 'message', id: 'msg_1' } },
];

const callEvents = ({ id, name, input }: NonNullable<WireReply['call']>) => {
  const item = { type: 'function_call', id: 'fc_1', call_id: id, name };
  return [
    { type: 'response.output_item.added', output_index: 2, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: input },
    {
      type: 'response.output_item.done',
      output_index: 2,
      item: { ...item, arguments: input, status: 'completed' },
    },
  ];
};

const wire: Omit<Wire, 'settings'> = {
  contentType: 'text/event-stream',
  frames: ({ reasoning, text, call }) =>
    [
      { type: 'response.created', response: { id: 'resp_1', created_at: 1_780_000_000, model: 'gpt-5' } },
      ...(reasoning === undefined ? [] : reasoningEvents(reasoning)),
      ...(text ? textEvents(text) : []),
      ...(call ? callEvents(call) : []),
      { type: 'response.completed', response: { usage: { input_tokens: 11, output_tokens: 7 } } },
    ].map((event) => serverSentEvent(event)),
  closing: 1,
  malformed: malformedEvent,
  unknownEvent: serverSentEvent({ type: 'response.new_kind', value: 1 }),
  highEffort: { reasoning: { effort: 'high', summary: 'auto' }, store: false },
  signature: encrypted,
  tooLong: {
    body: {
      error: {
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  },
};

export const openaiWire: Wire = {
  ...wire,
  settings: (origin) => ({ provider: 'openai', model: 'gpt-5', apiKey: 'key', baseUrl: `${origin}/v1` }),
};

export const azureWire: Wire = {
  ...wire,
  settings: (origin) => ({ provider: 'azure', model: 'gpt-5', apiKey: 'key', baseUrl: `${origin}/openai` }),
};
