import { type Json, parseJson } from './json.ts';
import type { ParameterRow } from './parameter-rows.ts';

/** The arguments of a call as they are entered: a text for each parameter. What is left empty is left out. */
export function argumentsOf(
  rows: readonly ParameterRow[],
  entered: Readonly<Record<string, string>>,
): Record<string, Json> {
  const given = rows.flatMap((row): [string, Json][] => {
    const text = entered[row.name] ?? '';
    return text.trim() === '' ? [] : [[row.name, valueOf(row, text)]];
  });
  return Object.fromEntries(given);
}

/** What is not as its type wants it stays a text: the service says what is wrong with it. */
function valueOf({ type }: ParameterRow, text: string): Json {
  if (type === 'boolean') return text === 'yes';
  if (type === 'number' || type === 'integer') return Number.isNaN(Number(text)) ? text : Number(text);
  if (type === 'strings') return text.split('\n').filter((line) => line.trim() !== '');
  return type === 'other' ? (parseJson(text) ?? text) : text;
}
