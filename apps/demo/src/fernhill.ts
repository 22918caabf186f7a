import { setTimeout as delay } from 'node:timers/promises';
import type { Tenant } from './tenant.ts';

const orders = new Map([
  ['1042', 'left the workshop on Tuesday and is with the courier. Expect it **tomorrow between 9 and 12**.'],
  ['1057', 'is on the stand: Mara is truing the rear wheel. It will be ready on **Friday at 16:00**.'],
  [
    '1063',
    'waits for a part. The gear hanger is due on **Monday**, and we will write to you when it is here.',
  ],
  ['1078', 'is packed. You can fetch it in the workshop from **Thursday** on.'],
]);
const prices = new Map([
  ['1042', '84.00'],
  ['1057', '129.00'],
  ['1063', '46.50'],
  ['1071', '22.00'],
  ['1078', '31.50'],
]);
const refunded = new Set<string>();

const tour = [
  '## Fernhill to the coast, four days',
  '',
  '1. **Fernhill to Oxley Mill**, 48 km. Quiet lanes along the river; the only climb is out of Barrow, and the café at the top opens at nine.',
  '2. **Oxley Mill to Stanhope**, 56 km. Gravel on the old railway for the first half. Let a little air out of the tyres and it is a joy.',
  '3. **Stanhope to Ferry Cross**, 61 km. The long day: fill both bottles at the church, there is nothing between there and the forest.',
  '4. **Ferry Cross to the lighthouse**, 37 km. Flat, windy, wide open. The last ferry back leaves at 17:40.',
  '',
  '| Day | Distance | Climbing | Where to sleep |',
  '| --- | ---: | ---: | --- |',
  '| 1 | 48 km | 420 m | The Mill House |',
  '| 2 | 56 km | 310 m | Stanhope hostel |',
  '| 3 | 61 km | 540 m | Camp at Ferry Cross |',
  '| 4 | 37 km | 90 m | Home again |',
  '',
  'Pack a spare tube, a chain link and a warm layer for the ferry. If you bring the bike in the week before, we check brakes and bearings for free.',
].join('\n');

export const fernhill: Tenant = {
  slug: 'fernhill',
  name: 'Fernhill Cycles',
  agent: {
    name: 'Fern',
    instructions:
      'You are Fern, the assistant of Fernhill Cycles, a bicycle shop and workshop. Be brief and warm. Look up orders before you talk about them, and refund only when asked.',
    widget: {
      name: 'Fern at Fernhill Cycles',
      greeting: 'Hello! Ask me about a repair, an order, or your next ride.',
      prompts: ['Where is order 1042?', 'Refund order 1057', 'Which bike suits me?', 'Plan a four day tour'],
      accent: '#1f6b4a',
    },
    model: {
      provider: 'scripted',
      script: [
        {
          when: 'my name is (\\w+)',
          steps: [{ say: 'Nice to meet you, {{1}}. Ask me for your name later and see whether I remember.' }],
        },
        {
          when: 'my name|who am i',
          steps: [{ say: 'You are **{{recall:my name is (\\w+)}}**.' }],
        },
        {
          when: 'refund\\D*(\\d{4})',
          steps: [
            { say: 'I can prepare that. Nothing is paid out before you agree.\n\n' },
            { call: 'refund_order', input: { order: '{{1}}', reason: 'Requested by the customer in chat' } },
            { say: '{{result}}' },
          ],
        },
        {
          when: 'refund',
          steps: [{ say: 'Which order is it? Write, for example, *Refund order 1057*.' }],
        },
        {
          when: 'order\\D*(\\d{4})',
          steps: [
            { say: 'Let me look in the workshop book.\n\n' },
            { call: 'order_status', input: { order: '{{1}}' } },
            { say: '{{result}}' },
          ],
        },
        {
          when: 'which bike|suits me|recommend',
          steps: [
            {
              ask: {
                prompt: 'Where will you ride most?',
                options: [
                  { id: 'city streets', label: 'In the city', description: 'Short trips, all weathers' },
                  { id: 'gravel tracks', label: 'On gravel', description: 'Forest roads and bad lanes' },
                  { id: 'long tours', label: 'On tour', description: 'Days with luggage' },
                ],
                allowFreeform: true,
              },
            },
            {
              say: 'For **{{result}}** I would try two bikes before deciding:\n\n- the **Heron**, upright and calm, with mudguards and a dynamo light\n- the **Kestrel**, lighter and quicker, with room for 45 mm tyres\n\nBoth stand in the shop. A test ride takes twenty minutes and costs nothing.',
            },
          ],
        },
        {
          when: 'plan|tour|route',
          steps: [
            { reason: 'Four days, about 50 km each, trains at both ends.' },
            { call: 'check_roads', input: { region: 'Fernhill to the coast' } },
            { say: `{{result}}\n\n${tour}`, delayMs: 35 },
          ],
        },
        {
          when: 'squeak|rattl|noise|photo|picture|^$',
          steps: [
            {
              say: 'Most squeaks are worn pads: **46 €** and the pads. Most rattles are a loose mudguard, which costs nothing. Attach a photo or drop it onto this chat: Mara looks at every one in the evening and answers before she mends anything.',
            },
          ],
        },
        {
          when: 'stock|tyre|tube|chain',
          steps: [
            { say: 'I will ask the stock system.\n\n' },
            { call: 'check_stock', input: { item: 'chain' } },
            { say: 'It does not answer. Call us on 01632 960 118 and somebody will look on the shelf.' },
          ],
        },
        {
          when: 'fail|break|crash',
          steps: [{ say: 'I am looking that up and ' }, { fail: 'The demo script fails here on purpose.' }],
        },
        {
          when: 'open|hours|when can i',
          steps: [
            {
              say: '| Day | Shop | Workshop |\n| --- | --- | --- |\n| Monday | closed | closed |\n| Tuesday to Friday | 9:00 to 18:00 | 8:00 to 17:00 |\n| Saturday | 9:00 to 16:00 | 9:00 to 13:00 |\n\nThe bell on the side door works on Mondays too, if somebody is in.',
            },
          ],
        },
        {
          steps: [
            {
              say: 'Here is what I can do for you:\n\n- find an order: *Where is order 1042?*\n- refund one, once you approve: *Refund order 1057*\n- help you choose: *Which bike suits me?*\n- plan something longer: *Plan a four day tour*\n- look at a photo: *My brake squeaks*, with one attached\n- ask our stock system, which is down today: *Is the chain in stock?*\n- break in the middle, on purpose: *Please fail*\n- remember: *My name is Ada*, then *What is my name?*\n\nYou can also bring the bike by. [The workshop](#workshop) opens at eight.',
            },
          ],
        },
      ],
    },
  },
  tools: (server) => [
    {
      kind: 'http',
      name: 'order_status',
      description: 'Looks up the state of a repair or an order by its four digit number.',
      parameters: objectOf({ order: { type: 'string', pattern: '^[0-9]{4}$' } }),
      request: { method: 'GET', url: `${server}/orders/{{order}}` },
      visibility: 'full',
    },
    {
      kind: 'http',
      name: 'refund_order',
      description: 'Refunds an order in full.',
      parameters: objectOf({
        order: { type: 'string', pattern: '^[0-9]{4}$', title: 'Order' },
        reason: { type: 'string', title: 'Reason' },
      }),
      display: {
        title: { en: 'Refund order', de: 'Bestellung erstatten' },
        summary: {
          en: 'Refund order {{order}} in full',
          de: 'Bestellung {{order}} vollständig erstatten',
        },
      },
      request: {
        method: 'POST',
        url: `${server}/refunds`,
        body: { order: '{{order}}', reason: '{{reason}}' },
      },
      approval: 'always',
      idempotent: true,
      visibility: 'full',
    },
    {
      kind: 'http',
      name: 'check_roads',
      description: 'Checks closures and weather along a region. Takes some seconds.',
      parameters: objectOf({ region: { type: 'string' } }),
      request: { method: 'GET', url: `${server}/roads`, query: { region: '{{region}}' } },
      timeoutMs: 60_000,
    },
    {
      kind: 'http',
      name: 'check_stock',
      description: 'Tells how many of an item are in the shop.',
      parameters: objectOf({ item: { type: 'string' } }),
      request: { method: 'GET', url: `${server}/stock/{{item}}` },
    },
  ],
  async answer({ route, body }) {
    const order = /^GET \/orders\/(\d{4})$/.exec(route)?.[1];
    if (order) return orderStatus(order);
    if (route === 'POST /refunds') return refund(String(body.order));
    if (route === 'GET /roads') {
      await delay(3_000);
      return { status: 200, text: 'The roads are clear and the forecast is dry until Sunday.' };
    }
    if (route.startsWith('GET /stock/')) return { status: 503, text: 'The stock system is being counted.' };
    return undefined;
  },
};

function orderStatus(order: string) {
  const status = orders.get(order);
  if (!status) return { status: 200, text: `I find no order ${order}. Try 1042, 1057 or 1063.` };
  if (refunded.has(order)) return { status: 200, text: `Order ${order} was refunded.` };
  return { status: 200, text: `Order ${order} ${status}` };
}

function refund(order: string) {
  const price = prices.get(order);
  if (!price) return { status: 200, text: `There is no order ${order} to refund.` };
  if (refunded.has(order)) return { status: 200, text: `Order ${order} was refunded before; nothing moved.` };
  refunded.add(order);
  return {
    status: 200,
    text: `Done. ${price} € for order ${order} goes back to the card you paid with, in two to three days.`,
  };
}

function objectOf(properties: Record<string, unknown>) {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}
