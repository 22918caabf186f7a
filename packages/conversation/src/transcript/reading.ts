/** What it takes to read an answer. It is loaded beside what greets and sends. */
export { readSession } from './read-session.ts';
export { reduceTurns } from './reduce-turns.ts';
