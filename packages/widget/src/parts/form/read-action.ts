const longest = 60;

/** What the button of a form says, in a question's input, which is what a model wrote. */
export function readAction({ action }: Record<string, unknown>): string | undefined {
  return typeof action === 'string' && action.length <= longest ? action.trim() || undefined : undefined;
}
