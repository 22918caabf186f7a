import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ScriptRule } from '@parley/protocol/settings/script';
import { embeddedModel } from '../embedded-model.ts';
import { readConversation, textOf } from './conversation.ts';
import { firstMatch } from './pattern.ts';
import { type Action, perform } from './perform.ts';
import { summariseInstructions, summariseRequest } from '../summarise.ts';

/** The embedded model that follows a script. */
export const scripted = (modelId: string, script: readonly ScriptRule[]): LanguageModelV4 =>
  embeddedModel('scripted', modelId, (options) => actionsOf(script, options));

const actionsOf = (script: readonly ScriptRule[], options: LanguageModelV4CallOptions): Iterable<Action> => {
  const [system, ...others] = options.prompt;
  if (system?.role === 'system' && system.content.startsWith(summariseInstructions)) {
    const messages = others.filter((message) => textOf(message) !== summariseRequest);
    return [say(`Summary of ${messages.length} messages.`)];
  }
  const { input, earlier, done } = readConversation(options.prompt);
  const offered = new Set(options.tools?.map((tool) => tool.name));
  for (const { when, steps } of script) {
    const groups = when === undefined ? [input] : firstMatch(when, input);
    if (groups) return perform({ steps, values: { input, groups, earlier }, done, offered });
  }
  return perform({
    steps: [{ say: 'My script has no answer to that.' }],
    values: { input, groups: [], earlier },
    done,
    offered,
  });
};

const say = (text: string): Action => ({ kind: 'text', text, repeat: 1, alreadySaid: 0, delayMs: 0 });
