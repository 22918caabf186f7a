import type { EventDataByType } from '@parley/protocol/event';
import { isTextFile } from '../../model/is-text-file.ts';
import type { FilePart, Message } from '../../model/message.ts';
import { ModelError } from '../../model/model-error.ts';
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
import { hasFiles, leftOut, nameOldFiles, nameTooLarge, withFiles, withNames } from './prompt-files.ts';
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
 * even where this one fails the next has a better chance. A model that refuses a prompt with files, or finds it too long
 * twice, is called once more without them: it may take no such files, or not this one.
 */
export async function callWithinWindow<T>(
  context: TurnContext,
  at: EventDataByType['turn.started'],
  call: (prompt: WholePrompt) => Promise<T>,
): Promise<T> {
  const currentTurn = openTurn(context.state)?.wholeFrom ?? at.sequence;
  let documents = true;
  const entries = () => {
    const recent = nameOldFiles(promptEntries(context), currentTurn);
    const taken = context.takesFiles ? recent : recent.map((entry) => withNames(entry, isText, notTaken));
    return documents ? taken : taken.map((entry) => withNames(entry, isPicture, leftOut));
  };
  const fixed = fixedTokens(context);
  let window = await contextWindow(context, fixed + estimateTokens(entries().map(({ message }) => message)));
  for (let isAgain = false; ;) {
    await compactIfNeeded(context, at, { window, fixed });
    const room = messageTokens(context, window, fixed);
    const messages = fitPrompt(nameTooLarge(entries(), room), { tokens: room, currentTurn });
    const tokens = fixed + estimateTokens(messages);
    try {
      return await call({ messages: await withFiles(context.store, messages), tokens });
    } catch (error) {
      const mayBeForFiles = isRefused(error) || (isAgain && isTooLong(error));
      if (mayBeForFiles && context.takesFiles && !context.hasSpoken && hasOtherFiles(messages)) {
        context.takesFiles = false;
        context.logger.warn({ err: error }, 'a prompt was refused by its model; calling again without files');
        continue;
      }
      if (!isTooLong(error)) throw error;
      const refused = { error, tokens, hasFiles: messages.some(hasFiles) };
      window = Math.min(window, await learnContextWindow(context, refused));
      // The tokens of documents are a guess: they alone may be what was too much.
      documents = false;
      if (isAgain) throw error;
      isAgain = true;
      context.logger.warn(
        { err: error, window },
        'a prompt was too long for its model; calling again with a shorter one',
      );
    }
  }
}

/** Stands behind the name of a file that is not sent because the model has refused the prompt with it. */
const notTaken = ', left out: the model does not take it';

const isText = ({ mediaType }: FilePart): boolean => isTextFile(mediaType);
const isPicture = (part: FilePart): boolean => part.mediaType.startsWith('image/') && !isText(part);

const hasOtherFiles = (messages: readonly Message[]): boolean =>
  messages.some(
    (message) => hasFiles(message) && message.content.some((part) => part.type === 'file' && !isText(part)),
  );

/** A router that knows no model for pictures under a name answers as for a model that it does not know. */
const isRefused = (error: unknown): boolean =>
  error instanceof ModelError && (error.kind === 'refused' || error.kind === 'not-found');
