import type { ToolOutput } from '../model/message.ts';
import type { Call } from '../session/state/phase.ts';

/** The result of a call as the model reads it, who must not believe that it was made with the arguments that it chose. */
export function amendedOutput({ amended, input }: Call, output: ToolOutput): ToolOutput {
  if (!amended || output.type === 'execution-denied') return output;
  const note = `A person of the team changed the arguments before it was approved. It was called with ${JSON.stringify(input)}.`;
  const isError = output.type === 'error-text' || output.type === 'error-json';
  const result = typeof output.value === 'string' ? output.value : JSON.stringify(output.value);
  return { type: isError ? 'error-text' : 'text', value: `${note}\nResult: ${result}` };
}
