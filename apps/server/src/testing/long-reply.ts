const line = `${'x'.repeat(1_999)} `;
const linesPerStep = 90;

/** A reply longer than what a model may say in one step: 180 kB in each, with a call of the tool `pause` between them. */
export function longReply(steps: number): { readonly script: readonly object[]; readonly text: string } {
  const say = { say: line, repeat: linesPerStep };
  const script = Array.from({ length: steps }, (_, step) => (step === 0 ? [say] : [{ call: 'pause' }, say]));
  return { script: script.flat(), text: line.repeat(linesPerStep * steps) };
}
