import type { ToolSettings } from '@parley/protocol/settings/tool';
import type { WidgetConfig } from '@parley/protocol/widget-config';

type ToolDisplays = Extract<WidgetConfig, { ok: true }>['tools'];

const maxLabelLength = 80;

/** How visitors see the tools that say so; that there are others is not public. */
export function toolDisplays(tools: readonly ToolSettings[]): ToolDisplays {
  const shown = tools.filter(({ interfaces }) => interfaces.includes('sessions'));
  return Object.fromEntries(
    shown.flatMap(({ name, display, parameters }) =>
      display ? [[name, { ...display, labels: labelsOf(parameters) }]] : [],
    ),
  );
}

/** Arguments by the titles that the schema of the parameters gives them. */
export function labelsOf({ properties }: ToolSettings['parameters']): Record<string, string> {
  const labels: [string, string][] = [];
  for (const [name, schema] of Object.entries(Object(properties) as Record<string, unknown>)) {
    const { title } = Object(schema) as { title?: unknown };
    if (typeof title === 'string' && title !== '') labels.push([name, title.slice(0, maxLabelLength)]);
  }
  return Object.fromEntries(labels);
}
