import type { EventDataByType } from '@parley/protocol/event';
import type { Message } from '../../model/message.ts';
import { openTurn } from '../../session/state/phase.ts';
import { compactIfNeeded } from './compact.ts';
import {
  contextWindow,
  fixedTokens,
  isTooLong,
  learnContextWindow,
  messageTokens,
} from './context-window.ts';
import type { TurnContext } from '../context.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { fitPrompt } from './fit-prompt.ts';
import { hasFiles, leftOut, nameOldFiles, withFiles, withNames } from './prompt-files.ts';
import { promptEntries } from './prompt.ts';

/** The messages of a prompt with the bytes of their files. */
export interface WholePrompt {
  readonly messages: readonly Message[];
  /** About how many tokens it takes, with all that a call holds beside it: its files are not to be counted by their bytes. */
  readonly tokens: number;
}

/**
 * Calls the model with a prompt that it takes, which is summarised or cut where it has to be. A model that finds it too
 * long all the same is called once more with a shorter one. What was learned holds for the turns after this one, so that
 * even where this one fails the next has a better chance.
 */
export async function callWithinWindow<T>(
  context: TurnContext,
  at: EventDataByType['turn.started'],
  call: (prompt: WholePrompt) => Promise<T>,
): Promise<T> {
  const currentTurn = openTurn(context.state)?.wholeFrom ?? at.sequence;
  let documents = true;
  const entries = () => {
    const named = nameOldFiles(promptEntries(context), currentTurn);
    if (documents) return named;
    return named.map((entry) => withNames(entry, ({ mediaType }) => mediaType.startsWith('image/'), leftOut));
  };
  const fixed = fixedTokens(context);
  let window = await contextWindow(context, fixed + estimateTokens(entries().map(({ message }) => message)));
  for (let again = false; ; again = true) {
    await compactIfNeeded(context, at, { window, fixed });
    const messages = fitPrompt(entries(), { tokens: messageTokens(context, window, fixed), currentTurn });
    const tokens = fixed + estimateTokens(messages);
    try {
      return await call({ messages: await withFiles(context.store, messages), tokens });
    } catch (error) {
      if (!isTooLong(error)) throw error;
      const refused = { error, tokens, hasFiles: messages.some(hasFiles) };
      window = Math.min(window, await learnContextWindow(context, refused));
      // The tokens of documents are a guess: they alone may be what was too much.
      documents = false;
      if (again) throw error;
      context.logger.warn(
        { err: error, window },
        'a prompt was too long for its model; calling again with a shorter one',
      );
    }
  }
}
