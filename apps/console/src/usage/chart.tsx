import { useId } from 'preact/hooks';

export interface Series {
  readonly name: string;
  readonly tone: 'main' | 'second' | 'danger' | 'quiet';
  /** One for each day; null where there is none. */
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  readonly title: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** `bars` stand on one another. */
  readonly kind?: 'bars' | 'lines';
}

/** Of a day, in the units of the drawing, which is stretched to its place. */
const dayWidth = 10;
const height = 100;

const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayText = (day: string): string => dayFormat.format(new Date(day));

/** Days side by side, with the same as a table behind it. */
export function Chart({ title, days, series, format, kind = 'bars' }: ChartProps) {
  const id = useId();
  const tops = days.map((_, index) => {
    const values = series.map(({ values: each }) => each[index] ?? 0);
    return kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const most = Math.max(...tops);
  const isEmpty = most <= 0;
  return (
    <figure class="card chart" aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <ul class="legend meta">
        {series.map(({ name, tone }) => (
          <li key={name} class={tone}>
            {name}
          </li>
        ))}
      </ul>
      {isEmpty ? (
        <p class="meta nothing">Nothing in this period.</p>
      ) : (
        <>
          <div class="plot">
            <span class="meta most">{format(most)}</span>
            <svg
              viewBox={`0 0 ${days.length * dayWidth} ${height}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={`${title} by day, ${format(most)} at most. The figures are in the table below.`}
            >
              {kind === 'bars' ? (
                <Bars days={days} series={series} most={most} format={format} />
              ) : (
                <Lines days={days} series={series} most={most} format={format} />
              )}
            </svg>
          </div>
          <p class="meta axis">
            <span>{dayText(days[0] ?? '')}</span>
            <span>{dayText(days.at(-1) ?? '')}</span>
          </p>
          <details class="meta">
            <summary>As a table</summary>
            <Figures title={title} days={days} series={series} format={format} />
          </details>
        </>
      )}
    </figure>
  );
}

type DrawingProps = Pick<ChartProps, 'days' | 'series' | 'format'> & { readonly most: number };

function Bars({ days, series, most, format }: DrawingProps) {
  return (
    <>
      {days.map((day, index) => {
        let top = height;
        return (
          <g key={day}>
            <title>{wordsOf(day, index, series, format)}</title>
            <rect class="hover" x={index * dayWidth} y={0} width={dayWidth} height={height} />
            {series.map(({ name, tone, values }) => {
              const tall = ((values[index] ?? 0) / most) * height;
              top -= tall;
              return (
                tall > 0 && (
                  <rect key={name} class={tone} x={index * dayWidth + 1.5} y={top} width={7} height={tall} />
                )
              );
            })}
          </g>
        );
      })}
    </>
  );
}

function Lines({ days, series, most, format }: DrawingProps) {
  const place = (index: number, value: number) =>
    `${index * dayWidth + dayWidth / 2} ${height - (value / most) * (height - 4) - 2}`;
  return (
    <>
      {days.map((day, index) => (
        <g key={day}>
          <title>{wordsOf(day, index, series, format)}</title>
          <rect class="hover" x={index * dayWidth} y={0} width={dayWidth} height={height} />
        </g>
      ))}
      {series.map(({ name, tone, values }) => {
        const drawn = days.map((_, index) => {
          const value = values[index];
          if (value == null) return { line: '', point: '' };
          const isAfter = values[index - 1] != null;
          const at = place(index, value);
          return {
            line: `${isAfter ? 'L' : 'M'}${at}`,
            // A day alone is a line of no length with round ends.
            point: isAfter || values[index + 1] != null ? '' : `M${at}h0`,
          };
        });
        return (
          <g key={name}>
            <path class={`line ${tone}`} d={drawn.map(({ line }) => line).join('')} />
            <path class={`line point ${tone}`} d={drawn.map(({ point }) => point).join('')} />
          </g>
        );
      })}
    </>
  );
}

const wordsOf = (
  day: string,
  index: number,
  series: readonly Series[],
  format: ChartProps['format'],
): string =>
  [
    dayText(day),
    ...series.map(({ name, values }) => {
      const value = values[index];
      return `${name}: ${value == null ? '–' : format(value)}`;
    }),
  ].join('\n');

function Figures({ title, days, series, format }: Omit<ChartProps, 'kind'>) {
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={`${title} by day`}>
      <table class="figures">
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, index) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {series.map(({ name, values }) => {
                const value = values[index];
                return <td key={name}>{value == null ? '–' : format(value)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
