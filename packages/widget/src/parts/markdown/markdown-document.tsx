import { cardLabels } from '../../i18n/card-labels.ts';
import { labels } from '../../i18n/labels.ts';
import { WidgetContext, type Widget } from '../../widget-context.ts';
import { Link } from './link.tsx';
import { Markdown } from './markdown.tsx';
import { readInline } from './read-inline.ts';
import { Table } from './table.tsx';
import type { Cards } from '../../later-parts.ts';

/** What of a widget a finished text asks for. An image stays its description: to load one tells its host who reads. */
const cards: Pick<Cards, 'Code' | 'Image' | 'Link' | 'Table' | 'readInline'> = {
  Code: ({ text }) => (
    <pre class="code" dir="ltr" tabIndex={0}>
      <code>{text}</code>
    </pre>
  ),
  Image: ({ alt }) => <>{alt}</>,
  Link,
  Table,
  readInline,
};
// A text that does not grow asks for nothing else, which the type of the context cannot say.
const widget = { cards, labels: { ...labels, ...cardLabels }, locale: 'en' } as unknown as Widget;

/** A text of the log, outside a widget, read and drawn as the widget does it. */
export const MarkdownDocument = ({ text }: { text: string }) => (
  <WidgetContext.Provider value={widget}>
    <Markdown text={text} open={false} />
  </WidgetContext.Provider>
);
