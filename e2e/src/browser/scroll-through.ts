import type { Page } from '@playwright/test';

export interface Scrolled {
  /** The most rows that were in the page at any time. */
  readonly mostRows: number;
  readonly longestTaskMs: number;
}

/**
 * Scrolls the console's list of conversations to its end, which are as many as this and come as the service would send
 * them. The page has to be loaded anew afterwards.
 */
export async function scrollThrough(page: Page, rows: number): Promise<Scrolled> {
  return page.evaluate(
    async ({ total, maxFrames }): Promise<Scrolled> => {
      const activeAt = new Date().toISOString();
      const same = { agentId: 'agent', visitor: null, status: 'open', rating: null, turns: 1, activeAt };
      const view = (index: number) => ({ ...same, id: `ses_${index}`, firstMessage: `Question ${index}` });
      const real = globalThis.fetch;
      globalThis.fetch = async (input, init) => {
        const url = new URL(input instanceof Request ? input.url : input, location.href);
        if (!url.pathname.endsWith('/conversations')) return real(input, init);
        const start = Number(url.searchParams.get('cursor') ?? 0);
        const end = Math.min(total, start + Number(url.searchParams.get('limit')));
        const items = Array.from({ length: end - start }, (_, index) => view(start + index));
        return Response.json({ items, next: end === total ? null : String(end) });
      };
      let longestTaskMs = 0;
      const tasks = new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) longestTaskMs = Math.max(longestTaskMs, duration);
      });
      let frames = 0;
      const frame = async () => {
        frames += 1;
        if (frames > maxFrames)
          throw new Error(`The list did not come to its end: ${document.body.innerText}`);
        await new Promise(requestAnimationFrame);
      };
      // Who comes back before the other screen is drawn has never left the list, which is then not asked for anew.
      location.hash = '#/agents';
      while (document.querySelector('a.conversation')) await frame();
      location.hash = '#/conversations';
      let mostRows = 0;
      let last = '';
      while (last !== `#/conversations/ses_${total - 1}`) {
        await frame();
        if (mostRows === 0) tasks.observe({ type: 'longtask' });
        const drawn = document.querySelectorAll('a.conversation');
        mostRows = Math.max(mostRows, drawn.length);
        last = [...drawn].at(-1)?.getAttribute('href') ?? '';
        scrollTo(0, document.documentElement.scrollHeight);
      }
      tasks.disconnect();
      return { mostRows, longestTaskMs };
    },
    { total: rows, maxFrames: 3_000 + rows },
  );
}
