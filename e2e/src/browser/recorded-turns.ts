import type { Attachment } from './files.ts';
import type { Recorded } from './mock-service.ts';

export const turn = (sequence: number) => ({ sequence, turnId: `turn_${sequence}` });
export const step = (sequence: number) => ({ ...turn(sequence), stepIndex: 0 });
export const event = (type: string, data: object): Recorded => ({ type, data });
export const waiting = event('session.waiting', { wait: 'next-user-message', continuationToken: 't1' });

export const asked = (sequence: number, message: string): Recorded[] => [
  event('turn.started', turn(sequence)),
  event('message.received', { ...turn(sequence), message, parts: [{ type: 'text', text: message }] }),
  event('step.started', step(sequence)),
];
export const said = (sequence: number, message: string, finishReason = 'stop'): Recorded[] => [
  event('message.completed', { ...step(sequence), message, finishReason }),
];
export const ended = (sequence: number): Recorded[] => [event('turn.completed', turn(sequence)), waiting];

/** An answer that cites what it is made from; one source has an address that is no link. */
export const cited: Recorded[] = [
  ...asked(1, 'When are you open, and do you deliver?'),
  event('message.completed', {
    ...step(1),
    message: 'We are open from nine to six [1], also on Saturdays [2]. We deliver within two days [4].',
    finishReason: 'stop',
    sources: [
      { number: 1, title: 'Opening hours', url: 'https://fernhill.example/hours' },
      { number: 2, title: 'Holidays', url: 'javascript:alert(1)' },
      {
        number: 4,
        title: 'Handbook for new colleagues › Delivery › Within the city and to everywhere else in the world',
        url: 'https://fernhill.example/handbook#delivery',
      },
    ],
  }),
  ...ended(1),
];

export const action = (toolName: string, input: object) => ({
  kind: 'tool-call',
  callId: 'call_1',
  toolName,
  input,
});
export const called = (toolName: string, input: object) =>
  event('actions.requested', { ...step(1), actions: [action(toolName, input)] });
export const result = (status: string, output: unknown, error?: object) =>
  event('action.result', {
    ...step(1),
    result: { kind: 'tool-result', callId: 'call_1', toolName: 'refund_order', output },
    status,
    error,
  });
export const request = (more: object) => event('input.requested', { ...step(1), requests: [more] });
export const approval = [
  ...asked(1, 'Refund order 1057, please.'),
  ...said(1, 'I can refund that.', 'tool-calls'),
  called('refund_order', { order: 1057, amount: '129.00 EUR' }),
  request({
    requestId: 'ask_1',
    kind: 'tool-approval',
    prompt: 'Approve tool call: refund_order',
    action: action('refund_order', { order: 1057, amount: '129.00 EUR' }),
    display: 'confirmation',
    allowFreeform: false,
    options: [
      { id: 'approve', label: 'Yes' },
      { id: 'deny', label: 'No' },
    ],
  }),
];
export const question = (more: object) => [
  ...asked(1, 'Which bike suits me?'),
  request({
    requestId: 'ask_1',
    kind: 'question',
    prompt: 'Where will you ride?',
    action: action('ask_question', { prompt: 'Where will you ride?' }),
    ...more,
  }),
  ...ended(1),
];
export const structured = (input: { options?: object[] } & Record<string, unknown>) =>
  question({
    display: 'text',
    allowFreeform: input['allowFreeform'],
    options: input.options,
    action: action('ask_question', { prompt: 'Where will you ride?', ...input }),
  });
export const rides = [
  { id: 'city', label: 'In the city', description: 'Short ways, many stops' },
  { id: 'gravel', label: 'On gravel' },
];
export const booking = [
  { name: 'name', label: 'Your name', required: true },
  {
    name: 'email',
    label: 'E-mail',
    type: 'email',
    required: true,
    description: 'For the confirmation only.',
  },
  { name: 'arrival', label: 'Day of arrival', type: 'date', required: true, minimum: '2026-11-20' },
  { name: 'guests', label: 'Guests', type: 'number', minimum: 1, maximum: 4 },
  {
    name: 'cabin',
    label: 'Cabin',
    type: 'select',
    options: [
      { id: 'heron', label: 'Heron, on the water' },
      { id: 'curlew', label: 'Curlew, with a south deck' },
    ],
  },
  { name: 'dog', label: 'I bring a dog', type: 'checkbox' },
  { name: 'wishes', label: 'Wishes', type: 'multiline', placeholder: 'A cot, a late arrival…' },
];
export const consent = {
  text: 'What you write here is processed by Fernhill Cycles and its AI provider, and kept for 30 days.',
  link: 'https://fernhill.example/chat-privacy',
};
export const answered = (more: object) =>
  event('input.answered', { ...turn(2), requestId: 'ask_1', ...more });
export const signIn = [
  ...asked(1, 'What is in my calendar?'),
  event('authorization.required', {
    ...step(1),
    name: 'Calendar',
    description: 'Lets the assistant read your appointments.',
    authorization: { url: 'https://accounts.example/device', userCode: 'WDJB-MJHT' },
  }),
];

export const everything = `## Orders

Your order **1042** left the workshop on _Tuesday_; see [the map](https://example.com/map) or \`track 1042\`.

1. First
   - nested
2. Second

- [x] packed
- [ ] delivered

| Item | Price |
|:-----|------:|
| Bell | 12.00 |
| A very long name of an item that makes the table wide enough to scroll sideways | 129.00 |

\`\`\`js
const total = items.map((item) => item.price).reduce((sum, price) => sum + price, 0);
\`\`\`

> A quote that was said before.

![The workshop](https://images.example/workshop.jpg)
`;

const noted = ({ name, mimeType, buffer }: Attachment, id: string) => ({
  type: 'file',
  mediaType: mimeType,
  filename: name,
  size: buffer.length,
  url: `https://service.example/parley/v1/file/${id}`,
});
export const withFiles = (sequence: number, text: string, ...files: Attachment[]): Recorded[] => [
  event('turn.started', turn(sequence)),
  event('message.received', {
    ...turn(sequence),
    message: [text, ...files.map(({ name, mimeType }) => `[file: ${name} (${mimeType})]`)]
      .filter(Boolean)
      .join('\n'),
    parts: [
      ...(text ? [{ type: 'text', text }] : []),
      ...files.map((file, index) => noted(file, `file_${sequence}${index}`)),
    ],
  }),
  event('step.started', step(sequence)),
];

/** Every state that a widget can be in, as a recording and what a visitor does. */
