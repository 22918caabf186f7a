/**
 * The id of a step's call, whatever the provider called it: nine letters and digits, which every provider takes back
 * (Mistral takes nothing else), and one of its own for every turn, step and position of a session.
 */
export function callIdAt(turn: number, stepIndex: number, position: number): string {
  const digits = (value: number, width: number) => value.toString(36).padStart(width, '0');
  return `c${digits(turn, 4)}${digits(stepIndex, 2)}${digits(position, 2)}`;
}
