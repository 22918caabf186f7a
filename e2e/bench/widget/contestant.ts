import type { BrowserContext } from '@playwright/test';
import manifest from '../../package.json' with { type: 'json' };
import type { Place } from './probe.ts';

/** A widget in the same page as the others. */
export interface Contestant {
  readonly name: string;
  /** Its part of the page. */
  readonly markup: string;
  /** What is there before the panel is open; null if the panel stands in the page. */
  readonly launcher: Place | null;
  /** What the visitor types in. */
  readonly field: Place;
  /** What holds the messages, and nothing else. */
  readonly log: Place;
  /** Lets the next page begin with the conversation of 1,000 messages. */
  restore(context: BrowserContext): Promise<unknown>;
}

/** The selector that Playwright finds the place by: it looks into open shadow roots. */
export const selectorOf = ({ host, inside }: Place) => (host === null ? inside : `${host} ${inside}`);

const { devDependencies } = manifest;
const script = (name: string) => `<script type="module" src="/${name}.js"></script>`;
const nothingToDo = () => Promise.resolve();

export const deepChat: Contestant = {
  name: `deep-chat ${devDependencies['deep-chat']}`,
  markup: script('deep-chat'),
  launcher: null,
  field: { host: 'deep-chat', inside: '#text-input' },
  log: { host: 'deep-chat', inside: '#messages' },
  restore: nothingToDo,
};

export const assistantUi: Contestant = {
  name: `assistant-ui ${devDependencies['@assistant-ui/react']}`,
  markup: script('assistant-ui'),
  launcher: { host: null, inside: '.launcher' },
  field: { host: null, inside: '.composer textarea' },
  log: { host: null, inside: '.log' },
  restore: nothingToDo,
};

/** Our own by its script tag. `session` is what a visitor's browser keeps of the long conversation. */
export const parley = (service: string, key: string, session: object): Contestant => ({
  name: 'Parley',
  markup: `<script async src="${service}/v1/parley.js" data-key="${key}"></script>`,
  launcher: { host: '[data-parley]', inside: '.launcher' },
  field: { host: '[data-parley]', inside: 'textarea' },
  log: { host: '[data-parley]', inside: '.log' },
  restore: (context) =>
    context.addInitScript(
      ([name, reference]) => {
        localStorage.setItem(name, reference);
        sessionStorage.setItem(name, '1');
      },
      [`parley:${service}:${key}`, JSON.stringify(session)] as const,
    ),
});
