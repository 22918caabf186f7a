import { createJudgedPage } from '@parley/conversation/page';
import { judgeCall } from '../host/judge-call.ts';
import type { Waiting } from '../loader/embed.ts';

type Told = Parameters<ReturnType<typeof createJudgedPage>['setValues']>[0];
type Offered = Parameters<ReturnType<typeof createJudgedPage>['offer']>[0];

/** Rejects, in words, a call that waits and that the panel would not take; it waits no longer then. */
export async function judge(waiting: Waiting[], call: Waiting): Promise<void> {
  const page = createJudgedPage();
  const [verb, value] = call;
  // Each tool alone may be one that goes, and all together too many.
  const tools = waiting.slice(0, waiting.indexOf(call)).filter(([each]) => each === 'tool');
  try {
    judgeCall(verb, value);
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
