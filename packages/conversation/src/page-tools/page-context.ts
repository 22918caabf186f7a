import type { TurnOptions } from '@parley/client/session-input';
import type { ClientTool } from './client-tool.ts';
import type { ContextValues, OfferedTool, Tools } from './offered-tool.ts';

export type PageContext = ReturnType<typeof createPageContext>;

type Rules = Pick<typeof import('./page-rules.ts'), 'judgeContext' | 'judgeTool'>;

/** The value as it is now and as the service reads it; undefined for what JSON cannot hold. */
function copyOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

const fits = (context: object) => JSON.stringify(context).length <= 20_000;

/**
 * What the page around the conversation has told the agent. What it changes later in what it gave is not told.
 * `loadRules`: what judges it comes when there is something to judge; null if nobody wants it any more.
 */
export function createPageContext(loadRules: () => Promise<Rules | null>) {
  let judging: Promise<unknown> = Promise.resolve();
  /** One after the other, as the page has said it. */
  const judge = (take: (rules: Rules) => void): Promise<void> => {
    const judged = judging.then(loadRules).then((rules) => void (rules && take(rules)));
    judging = judged.catch(() => {});
    return judged;
  };
  const page = {
    values: null as ContextValues,
    tools: new Map() as Tools,
    /** What the page has said by now, once that is judged. */
    said: (): Promise<ContextValues> => judging.then(() => page.values),
    /** Rejects what the service would refuse with every message. */
    setValues: (given: ContextValues): Promise<void> => {
      const values = copyOf(given) as ContextValues | undefined;
      return judge(({ judgeContext }) => {
        page.values = judgeContext(values);
      });
    },
    /** Rejects what the service would refuse with every message. */
    offer(tool: ClientTool | { name: string; run: null }): Promise<void> {
      const { name, description, parameters } = Object(tool) as Partial<ClientTool>;
      const offered = copyOf({ name, description, parameters }) as OfferedTool | undefined;
      return judge(({ judgeTool }) => {
        page.tools = judgeTool(page.tools, offered, Object(tool) as object);
      });
    },
    /** What goes with a message. Where both are too long together, the page's values stay behind. */
    async turnOptions(
      visitor: object | null | undefined,
      said: Promise<ContextValues>,
    ): Promise<TurnOptions> {
      const values = await said;
      const told = visitor ? ([{ ...values, visitor }, { visitor }].find(fits) ?? values) : values;
      const clientTools = [...page.tools.values()].flatMap((each) => each?.offered ?? []);
      return {
        ...(told && { clientContext: told }),
        ...(page.tools.size > 0 && { clientTools }),
      };
    },
  };
  return page;
}
