import { widgetSettingsSchema } from '@parley/protocol/settings/widget';
import { expect, test } from 'vitest';
import { inLanguage } from './in-language.ts';

const widget = {
  name: 'Fern',
  ...widgetSettingsSchema.omit({ name: true }).parse({
    greeting: 'Hello!',
    prompts: ['Where is my order?'],
    teaser: 'Questions?',
    languages: {
      de: { greeting: 'Hallo!', prompts: ['Wo ist meine Bestellung?'] },
      'pt-BR': { greeting: 'Oi!' },
    },
  }),
};

test.for([
  ['de', 'Hallo!', 'Wo ist meine Bestellung?'],
  ['de-AT', 'Hallo!', 'Wo ist meine Bestellung?'],
  ['pt-BR', 'Oi!', 'Where is my order?'],
  ['pt', 'Hello!', 'Where is my order?'],
  ['en', 'Hello!', 'Where is my order?'],
])('in %s the greeting is %s, and what is not said there is said as ever', ([locale, greeting, prompt]) => {
  expect(inLanguage(widget, locale!)).toMatchObject({ greeting, prompts: [prompt], teaser: 'Questions?' });
});
