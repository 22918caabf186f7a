import type { ConnectionTool } from '@parley/protocol/settings/mcp-connection';
import type { Choice } from './choice.ts';

/** By the names of the tools. */
export type Choices = Readonly<Record<string, Choice>>;

/** What is stored of the tools. */
export function storedChoices(tools: readonly ConnectionTool[]): Choices {
  return Object.fromEntries(
    tools.map(({ name, status, approval, fingerprint }) => [
      name,
      status === 'approved' || status === 'missing' ? { approval, fingerprint } : null,
    ]),
  );
}

/** That, with what somebody has chosen in its place. A tool that has changed since was not looked at. */
export function withChosen(tools: readonly ConnectionTool[], chosen: Choices): Choices {
  const isOf = ([name, choice]: readonly [string, Choice]) =>
    tools.some((tool) => tool.name === name && (choice === null || choice.fingerprint === tool.fingerprint));
  return { ...storedChoices(tools), ...Object.fromEntries(Object.entries(chosen).filter(isOf)) };
}

/** As they are sent. */
export const toolsBody = (tools: readonly ConnectionTool[], chosen: Choices): { readonly name: string }[] =>
  Object.entries(withChosen(tools, chosen)).flatMap(([name, choice]) =>
    choice ? [{ name, ...choice }] : [],
  );
