import type {
  ApprovedTool,
  ConnectionTool,
  ListedTool,
  McpPatch,
} from '@parley/protocol/settings/mcp-connection';
import { remoteToolName } from '../tool/mcp/remote-tool-name.ts';
import { proposedApproval } from '../tool/mcp/tool-definition.ts';
import { conflict, SettingsError } from './settings-error.ts';

/** The tools of a server as they are chosen from: what it lists, and what was approved and is not listed any more. */
export function toolViews(
  connection: string,
  listed: readonly ListedTool[],
  approved: readonly ApprovedTool[],
): ConnectionTool[] {
  return [
    ...listed.map((tool) =>
      listedView(
        connection,
        tool,
        approved.find(({ name }) => name === tool.name),
      ),
    ),
    ...approved.filter(({ name }) => !findListed(listed, name)).map((tool) => missingView(connection, tool)),
  ];
}

/** What is as it was approved. */
export const usableTools = (
  listed: readonly ListedTool[],
  approved: readonly ApprovedTool[],
): ApprovedTool[] =>
  approved.filter((tool) => findListed(listed, tool.name)?.fingerprint === tool.fingerprint);

/** What is approved from now on. */
export const chosenTools = (
  choices: readonly Choice[],
  approved: readonly ApprovedTool[],
  listed: readonly ListedTool[],
): ApprovedTool[] => oncePerName(choices).map((choice) => chosen(choice, approved, listed));

/** Throws where a model would read one name for two of them, and call whichever came first. */
export function rejectSameNames(connection: string, approved: readonly ApprovedTool[]): void {
  const names = new Map<string, string>();
  for (const { name } of approved) {
    const shown = remoteToolName(connection, name);
    const other = names.get(shown);
    if (other !== undefined)
      throw new SettingsError('invalid', 'Two tools would have one name.', [
        {
          path: ['tools'],
          message: `The model would read ${shown} for both ${other} and ${name}. Choose one of them.`,
        },
      ]);
    names.set(shown, name);
  }
}

function listedView(
  connection: string,
  tool: ListedTool,
  approved: ApprovedTool | undefined,
): ConnectionTool {
  const { name, fingerprint, definition, problem } = tool;
  const isChanged = approved !== undefined && approved.fingerprint !== fingerprint;
  return {
    name,
    toolName: remoteToolName(connection, name),
    fingerprint,
    ...definition,
    status: problem !== null ? 'unusable' : !approved ? 'available' : isChanged ? 'changed' : 'approved',
    problem,
    approval: approved?.approval ?? proposedApproval(definition),
    before: isChanged ? approved.definition : null,
  };
}

function missingView(
  connection: string,
  { name, fingerprint, definition, approval }: ApprovedTool,
): ConnectionTool {
  const toolName = remoteToolName(connection, name);
  return {
    name,
    toolName,
    fingerprint,
    ...definition,
    status: 'missing',
    problem: null,
    approval,
    before: null,
  };
}

type Choice = NonNullable<McpPatch['tools']>[number];

const oncePerName = (choices: readonly Choice[]): Choice[] => [
  ...new Map(choices.map((choice) => [choice.name, choice])).values(),
];

/** The definition that whoever chose has seen, be it the one that is listed or the one that was approved before. */
function chosen(
  choice: Choice,
  approved: readonly ApprovedTool[],
  listed: readonly ListedTool[],
): ApprovedTool {
  const { name, fingerprint } = choice;
  const before = approved.find((tool) => tool.name === name);
  const seen = [findListed(listed, name), before].find((tool) => tool?.fingerprint === fingerprint);
  if (!seen) throw conflict(`The tool ${name} has changed since it was shown. Look at it again.`);
  if ('problem' in seen && seen.problem !== null)
    throw new SettingsError('invalid', `The tool ${name} cannot be used.`, [
      { path: ['tools'], message: seen.problem },
    ]);
  const { definition } = seen;
  const approval = choice.approval ?? before?.approval ?? proposedApproval(definition);
  return { name, fingerprint, approval, definition };
}

const findListed = (listed: readonly ListedTool[], name: string): ListedTool | undefined =>
  listed.find((tool) => tool.name === name);
