import type { TurnOptions } from '@parley/client/session-input';
import type { ClientTool } from './client-tool.ts';

/** What the page has told of itself. */
export type ContextValues = Record<string, unknown> | null;
export type PageContext = ReturnType<typeof createPageContext>;

type OfferedTool = Pick<ClientTool, 'name' | 'description' | 'parameters'>;
type Tools = ReadonlyMap<string, { tool: ClientTool; offered: OfferedTool } | null>;

/** What one request can carry. */
const maxTools = 20;
const maxToolsBytes = 65_536;
/** `ask_question` is a tool of every agent. */
const toolName = /^(?!ask_question$)[a-z][\w-]{0,63}$/i;
/** An object of at most 20,000 code points. */
const contextJson = /^\{.{0,19998}\}$/su;
/** In JSON with a space for each level: U+0000, or a value that is nested deeper than the 64 levels of a body. */
const fault = /[^\\](\\\\)*\\u0000|\n {63}(".*": )?[[{]/;

/** The value as it is now and as the service reads it; undefined for what JSON cannot hold. */
function copyOf(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value));
  } catch {
    return undefined;
  }
}

const isClean = (value: object) => !fault.test(JSON.stringify(value, null, 1));
const isContext = (value: object) => contextJson.test(JSON.stringify(value)) && isClean(value);

const offeredTools = (tools: Tools) => [...tools.values()].flatMap((each) => each?.offered ?? []);

/** What the page around the conversation has told the agent. What it changes later in what it gave is not told. */
export function createPageContext() {
  const page = {
    values: null as ContextValues,
    /** By name; null for one that was taken away, of which the agent has to be told. */
    tools: new Map() as Tools,
    /** Throws what the service would refuse with every message. */
    setValues: (given: ContextValues): void => {
      const values = copyOf(given) as ContextValues | undefined;
      if (values !== null && !(values && isContext(values)))
        throw Error('Parley: context takes an object of 20,000 characters as JSON, or null.');
      page.values = values;
    },
    /** Throws what the service would refuse with every message. */
    offer(tool: ClientTool | { name: string; run: null }): void {
      const { name, description, parameters, run } = Object(tool) as {
        [Property in keyof ClientTool]: unknown;
      };
      const offered = copyOf({ name, description, parameters }) as OfferedTool | undefined;
      const isTool =
        typeof run === 'function'
          ? typeof description === 'string' &&
            /^.{1,4000}$/s.test(description) &&
            offered?.parameters?.type === 'object'
          : run === null;
      const kept = isTool && run ? { tool: tool as ClientTool, offered: offered! } : null;
      const tools = new Map(page.tools).set(name as string, kept);
      const all = offeredTools(tools);
      if (
        !isTool ||
        typeof name !== 'string' ||
        !toolName.test(name) ||
        all.length > maxTools ||
        new Blob([JSON.stringify(all)]).size > maxToolsBytes ||
        !isClean(all)
      )
        throw Error(
          `Parley: tool takes { name, description, parameters, run }, ${maxTools} tools in ${maxToolsBytes} bytes.`,
        );
      page.tools = tools;
    },
    /** What goes with a message. Where both are too long together, the page's values stay behind. */
    turnOptions(visitor: object | null | undefined, values: ContextValues): TurnOptions {
      const answers = visitor && { visitor };
      const told = [(values || visitor) && { ...values, ...answers }, answers, values].find(
        (each) => each && isContext(each),
      );
      return {
        ...(told && { clientContext: told }),
        ...(page.tools.size > 0 && { clientTools: offeredTools(page.tools) }),
      };
    },
  };
  return page;
}
