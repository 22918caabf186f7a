import { splitRow } from './block.ts';

type Alignment = 'start' | 'center' | 'end' | null;

export type Table = {
  alignments: Alignment[];
  header: string[];
  rows: string[][];
  /** How many rows are left out. */
  more: number;
};

const maximumRows = 500;
const maximumColumns = 50;
/** As many as are drawn without a pause that is felt. */
const maximumCells = 5_000;

/** What the lines of a table say, the second of which tells how many columns there are. */
export function readTable(lines: readonly string[]): Table {
  const alignments = splitRow(lines[1]!).map((cell): Alignment => {
    if (cell.endsWith(':')) return cell.startsWith(':') ? 'center' : 'end';
    return cell.startsWith(':') ? 'start' : null;
  });
  const columns = Math.min(alignments.length, maximumColumns);
  const fit = (cells: string[]) => Array.from({ length: columns }, (_, column) => cells[column] ?? '');
  const shown = Math.min(maximumRows, Math.floor(maximumCells / columns));
  const rows = lines.slice(2, 2 + shown);
  return {
    alignments: alignments.slice(0, columns),
    header: fit(splitRow(lines[0]!)),
    rows: rows.map((row) => fit(splitRow(row))),
    more: Math.max(0, lines.length - 2 - shown),
  };
}
