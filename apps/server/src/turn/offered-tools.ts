import type { OfferedTool } from '../model/model.ts';
import { askQuestion } from '../tool/ask-question.ts';
import type { TurnContext } from './context.ts';

/** What the model may call. A tool of the agent goes before one that the page gave the same name. */
export function offeredTools({
  tools,
  asksQuestions,
  state,
}: Pick<TurnContext, 'tools' | 'asksQuestions' | 'state'>): OfferedTool[] {
  const pageTools = state.clientTools.filter(({ name }) => !tools.has(name));
  const offered: OfferedTool[] = [...tools.values(), ...pageTools].map(
    ({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }),
  );
  return asksQuestions ? [...offered, askQuestion] : offered;
}
