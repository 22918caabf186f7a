const least = 12;

/** What is wrong with a password that is to be set, as a sentence; undefined when nothing is. */
export function passwordProblem(password: string): string | undefined {
  if (password === '') return 'Choose a password.';
  if (password.length < least) return `Use at least ${least} characters: a few words are easy to remember.`;
  return undefined;
}
