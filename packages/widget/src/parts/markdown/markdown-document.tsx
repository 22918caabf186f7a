import { WidgetContext, type Widget } from '../../widget-context.ts';
import { disguisedHost } from './disguised-host.ts';
import { linkAddresses } from './link-addresses.ts';
import { Markdown } from './markdown.tsx';
import type { Cards } from '../../later-parts.ts';

/** What of a widget a finished text asks for. An image stays its description: to load one tells its host who reads. */
const cards: Pick<Cards, 'Code' | 'Image' | 'MoreRows' | 'disguisedHost' | 'linkAddresses'> = {
  Code: ({ text }) => (
    <pre class="code" dir="ltr" tabIndex={0}>
      <code>{text}</code>
    </pre>
  ),
  Image: ({ alt }) => <>{alt}</>,
  MoreRows: ({ count }) => <p class="meta">{count} more rows</p>,
  disguisedHost,
  linkAddresses,
};
// A text that does not grow asks for nothing else, which the type of the context cannot say.
const widget = { cards, labels: { table: 'Table', done: 'Done', toDo: 'To do' } } as unknown as Widget;

/** A text of the log, outside a widget, read and drawn as the widget does it. */
export const MarkdownDocument = ({ text }: { text: string }) => (
  <WidgetContext.Provider value={widget}>
    <Markdown text={text} open={false} />
  </WidgetContext.Provider>
);
