import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { searchToolName } from '@parley/protocol/search-tool';
import { embeddedModel } from '../embedded-model.ts';
import { readConversation, textOf } from '../scripted/conversation.ts';
import type { Action } from '../scripted/perform.ts';
import { summariseInstructions, summariseRequest } from '../summarise.ts';
import { phrasesFor } from './phrases.ts';
import { bestQuotes, readPassages } from './quotes.ts';

/** Characters of a question that are looked for. */
const maxQuery = 1_000;

/**
 * The embedded model that looks up what it is asked and answers in the words of what was found, each quote with its
 * source. It says that it quotes, and that nothing was found where nothing was.
 */
export const quoting = (modelId: string): LanguageModelV4 => embeddedModel('quoting', modelId, actionsOf);

function actionsOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): readonly Action[] {
  const [system, ...others] = prompt;
  if (system?.role === 'system' && system.content.startsWith(summariseInstructions)) {
    const messages = others.filter((message) => textOf(message) !== summariseRequest);
    return [say(`Summary of ${messages.length} messages.`)];
  }
  const { input, done } = readConversation(prompt);
  const query = input.trim().slice(0, maxQuery).toWellFormed();
  const searched = done.findLastIndex((each) => each.kind === 'call' && each.toolName === searchToolName);
  const maySearch = toolChoice?.type !== 'none' && tools.some((tool) => tool.name === searchToolName);
  if (searched < 0 && maySearch && query !== '')
    return [{ kind: 'call', toolName: searchToolName, input: { query } }];
  const search = done[searched];
  const passages = search?.kind === 'call' ? readPassages(search.result) : [];
  // After a crash it goes on behind what it had said.
  const said = done.slice(searched + 1).flatMap((each) => (each.kind === 'text' ? [each.text] : []));
  return [say(answer(query, passages), said.join('').length)];
}

function answer(question: string, passages: ReturnType<typeof readPassages>): string {
  const phrases = phrasesFor(question);
  const quotes = bestQuotes(question, passages);
  if (quotes.length === 0) return phrases.nothing;
  const blocks = quotes.map(({ number, text }) => `${text} [${number}]`.replaceAll(/^/gm, '> '));
  return [phrases.quoted, ...blocks].join('\n\n');
}

const say = (text: string, alreadySaid = 0): Action => ({
  kind: 'text',
  text,
  repeat: 1,
  alreadySaid,
  delayMs: 0,
});
