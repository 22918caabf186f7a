import { percentile } from '../statistics.ts';

/** What one run gave for each widget, ours first. */
export type Runs<Figures> = ReadonlyMap<string, readonly Figures[]>;

export interface Column<Figures> {
  readonly name: string;
  readonly of: (figures: Figures) => number;
  readonly digits: number;
  /** Instead of a zero, which the browser gives when nothing was long enough to be reported. */
  readonly zero?: string;
  /** Instead of infinity: for what was given up. */
  readonly infinite?: string;
}

export const medianOf = <Figures>(runs: Runs<Figures>, widget: string, of: (figures: Figures) => number) =>
  percentile(runs.get(widget)!.map(of), 0.5);

const nameWidth = 34;
const width = 24;

/** Prints the medians, those of the others with how many times ours they are. */
export function printTable<Figures>(
  title: string,
  runs: Runs<Figures>,
  columns: readonly Column<Figures>[],
): void {
  const widgets = [...runs.keys()];
  const line = (cells: readonly string[]) =>
    `${cells.map((cell, index) => (index === 0 ? cell.padEnd(nameWidth) : cell.padStart(width))).join('')}\n`;
  process.stdout.write(`\n${line([title, ...widgets])}`);
  for (const { name, of, digits, zero, infinite } of columns) {
    const [ours, ...others] = widgets.map((widget) => medianOf(runs, widget, of)) as [number, ...number[]];
    const text = (value: number) => {
      if (Number.isNaN(value)) return '-';
      if (value === 0 && zero) return zero;
      return value === Infinity && infinite ? infinite : value.toFixed(digits);
    };
    const beside = (value: number) =>
      ours > 0 && value > 0 && ours < Infinity && value < Infinity
        ? `${text(value)} ${`(${(value / ours).toFixed(1)} x)`.padStart(9)}`
        : text(value).padEnd(text(value).length + 10);
    process.stdout.write(line([name, text(ours), ...others.map(beside)]));
  }
}

export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

export function printVerdict(aim: string, met: boolean, found: string): void {
  process.stdout.write(`${met ? 'met    ' : 'NOT met'}  ${aim}: ${found}\n`);
}
