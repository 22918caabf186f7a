import { askTeamName } from '@parley/protocol/team-tool';
import { z } from 'zod';
import type { TeamTool } from '../tool.ts';

/** Characters: somebody reads it between two other conversations. */
const maxQuestionLength = 2_000;

const inputSchema = z.strictObject({
  question: z
    .string()
    .trim()
    .min(1)
    .max(maxQuestionLength)
    .describe('With all that a colleague needs to answer it who has not read the conversation.'),
});

/** How the model asks the team. */
export const askTeam: TeamTool = {
  executor: 'team',
  name: askTeamName,
  description:
    'Ask a colleague of the team one question and wait for the answer, which may take minutes. Use it for what you cannot find out and must not guess. The user is not shown the question or the answer, only that you are checking with a colleague. Call nothing else in the same step.',
  parameters: { ...z.toJSONSchema(inputSchema, { io: 'input' }), type: 'object' },
  invalid(input) {
    const issue = inputSchema.safeParse(input).error?.issues[0];
    return issue && `The question is not valid: ${issue.path.join('.') || 'input'}: ${issue.message}`;
  },
  request(callId, input) {
    const { question } = inputSchema.parse(input);
    return {
      requestId: callId,
      kind: 'question',
      prompt: question,
      action: { kind: 'tool-call', callId, toolName: askTeamName, input: { question } },
      display: 'text',
    };
  },
};
