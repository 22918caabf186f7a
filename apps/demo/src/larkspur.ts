import type { Tenant } from './tenant.ts';

/** Has no site of its own, only a scene: its visitors agree to something and say who they are before they write. */
export const larkspur: Tenant = {
  slug: 'larkspur',
  name: 'Larkspur Dental',
  agent: {
    name: 'Larkspur',
    instructions:
      'You are the assistant of Larkspur Dental, a dental practice. Be calm and brief. Give no diagnosis: offer an appointment.',
    widget: {
      name: 'Larkspur Dental',
      greeting: 'Hello! I can find you an appointment or tell you what to do until then.',
      prompts: ['When is the next appointment?', 'A filling has come out'],
      accent: '#5a4a9c',
      privacyUrl: 'https://larkspur.example/privacy',
      consent: {
        text: 'What you write may say something about your health. We keep it for 30 days, for your appointment only.',
        link: 'https://larkspur.example/privacy',
      },
      form: {
        title: 'Who are we talking to?',
        fields: [
          { name: 'name', label: 'Your name', required: true },
          { name: 'email', label: 'E-mail', type: 'email', description: 'For the appointment only.' },
          { name: 'birthday', label: 'Date of birth', type: 'date', maximum: '2026-01-01' },
          {
            name: 'insurance',
            label: 'Insurance',
            type: 'select',
            options: [
              { id: 'public', label: 'Public' },
              { id: 'private', label: 'Private' },
            ],
          },
          { name: 'patient', label: 'I have been here before', type: 'checkbox' },
        ],
      },
    },
    model: {
      provider: 'scripted',
      script: [
        {
          when: 'appointment|when',
          steps: [
            { say: 'The next one is on **Thursday at 10:20**, with Dr Osei. Shall I note it for you?' },
          ],
        },
        {
          when: 'filling|pain|hurts',
          steps: [
            {
              say: 'Keep it clean and chew on the other side. If it hurts, come in today: we keep **12:00 to 13:00** free for that.',
            },
          ],
        },
        {
          steps: [
            { say: 'I can look for an *appointment*, or tell you what to do if *a filling* comes out.' },
          ],
        },
      ],
    },
  },
  tools: () => [],
  answer: () => Promise.resolve(undefined),
};
