import type { ClientTool } from '../../loader/widget-api.ts';
import type { Widget } from '../../widget-context.ts';
import type { ToolDisplays } from '@parley/protocol/tool-text';

/** How visitors see tools: the service's as it says, the page's as the page does. */
export function displaysOf({ tools, pageTools }: Pick<Widget, 'tools' | 'pageTools'>): ToolDisplays {
  const displays = [...pageTools].flatMap(([name, offered]) => {
    const { display, parameters } = offered?.tool ?? {};
    return display && parameters ? [[name, displayOf(display, parameters)] as const] : [];
  });
  return { ...Object.fromEntries(displays), ...tools };
}

/** Arguments by the titles that the schema of the parameters gives them. */
function displayOf(
  { title, summary }: NonNullable<ClientTool['display']>,
  { properties }: object & { properties?: unknown },
) {
  const titles = Object.entries(Object(properties) as Record<string, { title?: unknown } | null>).map(
    ([name, schema]) => [name, schema?.title] as const,
  );
  return { title: textsIn(title), summary: textsIn(summary), labels: textsIn(Object.fromEntries(titles)) };
}

/** Not all pages are written in TypeScript. */
const textsIn = (texts: object | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(texts ?? {}).filter(([, text]) => typeof text === 'string' && text !== ''),
  );
