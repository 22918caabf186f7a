import type { Tenant } from './tenant.ts';

const bookings = new Map<string, string>();

export const saltmarsh: Tenant = {
  slug: 'saltmarsh',
  name: 'Saltmarsh Cabins',
  agent: {
    name: 'Wren',
    instructions:
      'You are Wren, the concierge of Saltmarsh Cabins, four cabins by the sea. Be calm and precise. Hold a cabin only after the guest agreed.',
    widget: {
      name: 'Wren, your concierge',
      greeting: 'Welcome to the marsh. What can I arrange for you?',
      prompts: [
        'What is the weather in Saltmarsh?',
        'Hold a cabin for Friday',
        'Book a stay',
        'What should I pack?',
      ],
      accent: '#24507a',
    },
    model: {
      provider: 'scripted',
      script: [
        {
          when: 'my name is (\\w+)',
          steps: [{ say: 'Good to have you here, {{1}}. I will keep that in mind.' }],
        },
        { when: 'my name|who am i', steps: [{ say: 'You are **{{recall:my name is (\\w+)}}**.' }] },
        {
          when: 'weather(?: is it)?(?: like)? in (\\w+)',
          steps: [{ call: 'get_weather', input: { place: '{{1}}' } }, { say: '{{result}}' }],
        },
        {
          when: 'weather|tide',
          steps: [{ call: 'get_weather', input: { place: 'Saltmarsh' } }, { say: '{{result}}' }],
        },
        {
          when: '(?:hold|book|reserve).*?(monday|tuesday|wednesday|thursday|friday|saturday|sunday)',
          steps: [
            {
              ask: {
                prompt: 'Which cabin would you like?',
                options: [
                  { id: 'Heron', label: 'Heron', description: 'Two people, wood stove, on the water' },
                  { id: 'Curlew', label: 'Curlew', description: 'Four people, south deck' },
                ],
                allowFreeform: false,
              },
            },
            { say: 'I hold it as soon as you agree.\n\n' },
            { call: 'hold_cabin', input: { cabin: '{{result}}', day: '{{1}}' } },
            { say: '{{result}}' },
          ],
        },
        {
          when: 'book|stay|reserve',
          steps: [
            {
              ask: {
                prompt: 'Tell me about your stay',
                action: 'Ask for this stay',
                fields: [
                  { name: 'arrival', label: 'Day of arrival', type: 'date', required: true },
                  {
                    name: 'nights',
                    label: 'Nights',
                    type: 'number',
                    required: true,
                    minimum: 2,
                    maximum: 14,
                  },
                  {
                    name: 'cabin',
                    label: 'Cabin',
                    type: 'select',
                    options: [
                      { id: 'heron', label: 'Heron, for two' },
                      { id: 'curlew', label: 'Curlew, for four' },
                    ],
                  },
                  {
                    name: 'email',
                    label: 'E-mail',
                    type: 'email',
                    required: true,
                    description: 'Ines writes to you there, and nobody else does.',
                  },
                  { name: 'dog', label: 'I bring a dog', type: 'checkbox' },
                ],
              },
            },
            { say: 'Thank you. Ines looks at the book this evening and writes to you by noon tomorrow.' },
          ],
        },
        {
          when: 'pack|bring',
          steps: [
            {
              say: 'Little, and warm:\n\n1. rubber boots, the path floods at spring tide\n2. a torch, there are **no street lamps**\n3. something to read\n\nLinen, firewood, coffee and salt are in the cabin.',
            },
          ],
        },
        {
          when: 'long|story|history',
          steps: [{ say: 'The marsh comes and goes with the tide, and so do we. ', repeat: 60, delayMs: 30 }],
        },
        {
          steps: [
            {
              say: 'I can look at the *weather in Saltmarsh*, *hold a cabin for Friday* once you agree, take the dates if you would like to *book a stay*, or tell you *what to pack*. For everything else, Ines is at the house until nine.',
            },
          ],
        },
      ],
    },
  },
  tools: (server) => [
    {
      kind: 'http',
      name: 'get_weather',
      description: 'Weather and tide for a place on the coast.',
      parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
      request: { method: 'GET', url: `${server}/weather/{{place}}` },
      visibility: 'full',
    },
    {
      kind: 'http',
      name: 'hold_cabin',
      description: 'Holds a cabin for two nights, free of charge until noon the day before.',
      parameters: {
        type: 'object',
        properties: { cabin: { type: 'string' }, day: { type: 'string' } },
        required: ['cabin', 'day'],
      },
      request: { method: 'POST', url: `${server}/bookings`, body: { cabin: '{{cabin}}', day: '{{day}}' } },
      approval: 'always',
      visibility: 'full',
    },
  ],
  answer({ route, body, idempotencyKey }) {
    const place = /^GET \/weather\/([^/]+)$/.exec(route)?.[1];
    if (place) {
      const text = `In **${decodeURIComponent(place)}** it is 14 °C with a light westerly, dry until the evening. High water is at **18:22**; the causeway is safe until five.`;
      return Promise.resolve({ status: 200, text });
    }
    if (route === 'POST /bookings') return Promise.resolve({ status: 200, text: hold(body, idempotencyKey) });
    return Promise.resolve(undefined);
  },
};

function hold({ cabin, day }: Record<string, unknown>, idempotencyKey?: string): string {
  const known = idempotencyKey && bookings.get(idempotencyKey);
  if (known) return known;
  const number = 700 + bookings.size + 1;
  const text = `**${String(cabin)}** is held for you from ${String(day)}, two nights. Your number is SM-${number}; the hold is free until noon the day before.`;
  bookings.set(idempotencyKey ?? String(number), text);
  return text;
}
