import { createJudgedPage } from '@parley/conversation/page';
import { judgeCall } from '../host/judge-call.ts';
import type { Waiting } from '../loader/embed.ts';
import type { WidgetChanges } from '../loader/widget-api.ts';

type Told = Parameters<ReturnType<typeof createJudgedPage>['setValues']>[0];
type Offered = Parameters<ReturnType<typeof createJudgedPage>['offer']>[0];

/**
 * Rejects, in words, a call that waits and that the panel would not take; it waits no longer then. What an `update` would
 * change of the widget without its panel is done by `dress`.
 */
export async function judge(
  waiting: Waiting[],
  call: Waiting,
  dress: (changed: WidgetChanges) => void,
): Promise<void> {
  const page = createJudgedPage();
  const [verb, value] = call;
  // Each tool alone may be one that goes, and all together too many.
  const tools = waiting.slice(0, waiting.indexOf(call)).filter(([each]) => each === 'tool');
  try {
    judgeCall(verb, value);
    // A panel that came meanwhile has taken it, and maybe a later one.
    if (verb === 'update' && waiting.includes(call)) dress(value as WidgetChanges);
    if (verb === 'context') await page.setValues(value as Told);
    if (verb !== 'tool') return;
    for (const [, tool] of tools) page.offer(tool as Offered).catch(() => {});
    await page.offer(value as Offered);
  } catch (error) {
    const place = waiting.indexOf(call);
    // A panel that came meanwhile has taken it.
    if (place !== -1) waiting.splice(place, 1);
    throw error;
  }
}
