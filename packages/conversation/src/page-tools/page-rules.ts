import type { ClientTool } from './client-tool.ts';
import type { ContextValues, OfferedTool, Tools } from './offered-tool.ts';

/** What one request can carry. */
const maxTools = 20;
const maxToolsBytes = 65_536;
/** `ask_question` is a tool of every agent. */
const toolName = /^(?!ask_question$)[a-z][\w-]{0,63}$/i;
/** An object of at most 20,000 code points. */
const contextJson = /^\{.{0,19998}\}$/su;
/** In JSON with a space for each level: U+0000, or a value that is nested deeper than the 64 levels of a body. */
const fault = /[^\\](\\\\)*\\u0000|\n {63}(".*": )?[[{]/;

const isClean = (value: object) => !fault.test(JSON.stringify(value, null, 1));

/** Throws at what the service would refuse with every message. `values`: as JSON has them; undefined is no JSON. */
export function judgeContext(values: ContextValues | undefined): ContextValues {
  if (values !== null && !(values && contextJson.test(JSON.stringify(values)) && isClean(values)))
    throw Error('Parley: context takes an object of 20,000 characters as JSON, or null.');
  return values;
}

/**
 * The tools with this one, or without it where its `run` is null. Throws at what the service would refuse with every
 * message. `offered`: what it is told of the tool; undefined is no JSON.
 */
export function judgeTool(
  tools: Tools,
  offered: Partial<OfferedTool> | undefined,
  tool: { run?: unknown },
): Tools {
  const { name, description, parameters } = offered ?? {};
  const isTool =
    typeof tool.run === 'function'
      ? typeof description === 'string' && /^.{1,4000}$/s.test(description) && parameters?.type === 'object'
      : tool.run === null;
  const kept = isTool && tool.run ? { tool: tool as ClientTool, offered: offered as OfferedTool } : null;
  const changed = new Map(tools).set(name!, kept);
  const all = [...changed.values()].flatMap((each) => each?.offered ?? []);
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
  return changed;
}
