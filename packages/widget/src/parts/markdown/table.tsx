import { countLabel } from '../../i18n/count-label.ts';
import type { ComponentChildren } from 'preact';
import { useWidget } from '../../widget-context.ts';
import { readTable } from './read-table.ts';

type Props = {
  lines: readonly string[];
  open: boolean;
  draw: (text: string, open: boolean) => ComponentChildren;
};

/** A table of an answer, which can be scrolled for itself. */
export function Table({ lines, open, draw }: Props) {
  const widget = useWidget();
  const { label } = widget;
  const { alignments, header, rows, more } = readTable(lines);
  return (
    <div class="table" role="region" aria-label={label('table')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, column) => (
              <th scope="col" data-align={alignments[column]}>
                {draw(cell, false)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr>
              {row.map((cell, column) => (
                <td data-align={alignments[column]}>{draw(cell, open && index === rows.length - 1)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p class="meta">{countLabel(widget, 'moreRows', more)}</p>}
    </div>
  );
}
