import type { AssistantPart, Message, ToolResultPart, UserPart } from './message.ts';
import type { ModelCall } from './model.ts';

/** The instructions of a call that compacts a conversation. The embedded model knows them by this text. */
export const summariseInstructions =
  'Summarise the conversation for the assistant that will go on with it. Keep names, facts, decisions, open ' +
  'questions and what tools answered. Write plain text in the language of the conversation, without a preamble.';

/** The last user message of such a call: providers want one, and it is not part of the conversation. */
export const summariseRequest = 'Write the summary now.';

/** The call that summarises `messages`. */
export const summaryCall = (messages: readonly Message[], signal: AbortSignal): ModelCall => ({
  instructions: summariseInstructions,
  messages: [...messages.map(plainMessage), { role: 'user', content: summariseRequest }],
  tools: [],
  signal,
});

/** A message as text: tool calls and results, so that no tool has to be offered, and files by their names. */
export const plainMessage = (message: Message): { role: 'assistant' | 'team' | 'user'; content: string } => ({
  role: message.role === 'tool' ? 'user' : message.role,
  content: typeof message.content === 'string' ? message.content : message.content.map(partText).join('\n'),
});

const partText = (part: UserPart | AssistantPart | ToolResultPart): string => {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'file':
      return `[file ${part.filename ?? part.mediaType}]`;
    case 'tool-call':
      return `[${part.toolName} called with ${JSON.stringify(part.input)}]`;
    case 'tool-result':
      return `[${part.toolName} answered ${JSON.stringify(part.output)}]`;
    case 'reasoning':
      return '';
  }
};
