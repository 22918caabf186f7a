import type {
  JSONValue,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';

/** Something the model did since the last user message. Neighbouring texts are one. */
export type Done =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly toolName: string; readonly result: string };

export interface Conversation {
  readonly input: string;
  readonly earlier: readonly string[];
  readonly done: readonly Done[];
}

/** A prompt as a script sees it. */
export const readConversation = (prompt: LanguageModelV4Prompt): Conversation => {
  const users = prompt.filter((message) => message.role === 'user').filter((message) => !isContext(message));
  const last = users.at(-1);
  const since = last ? prompt.slice(prompt.indexOf(last) + 1) : prompt;
  return {
    input: last ? textOf(last) : '',
    earlier: users.slice(0, -1).map(textOf),
    done: doneIn(since),
  };
};

const contextPrefix = 'Client context:\n';

const isContext = (message: LanguageModelV4Message): boolean => textOf(message).startsWith(contextPrefix);

export const textOf = (message: LanguageModelV4Message): string =>
  typeof message.content === 'string'
    ? message.content
    : message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');

const doneIn = (messages: LanguageModelV4Prompt): Done[] => {
  const results = new Map(
    messages
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .flatMap((part) => (part.type === 'tool-result' ? [[part.toolCallId, resultText(part)]] : [])),
  );
  const done: Done[] = [];
  for (const part of messages.flatMap((message) => (message.role === 'assistant' ? message.content : []))) {
    if (part.type === 'tool-call') {
      done.push({ kind: 'call', toolName: part.toolName, result: results.get(part.toolCallId) ?? '' });
    } else if ((part.type === 'text' || part.type === 'reasoning') && part.text !== '') {
      const before = done.at(-1);
      if (before?.kind === part.type)
        done[done.length - 1] = { kind: part.type, text: before.text + part.text };
      else done.push({ kind: part.type, text: part.text });
    }
  }
  return done;
};

/** Text as it is, an answer as its text or else its option, a refusal or failure as its reason, anything else as compact JSON. */
const resultText = ({ toolName, output }: LanguageModelV4ToolResultPart): string => {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'execution-denied':
      return output.reason ?? 'denied';
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : '')).join('');
    default:
      if (typeof output.value === 'string') return output.value;
      return (toolName === 'ask_question' && answerText(output.value)) || JSON.stringify(output.value);
  }
};

const answerText = (value: JSONValue): string | undefined => {
  if (value === null || typeof value !== 'object') return undefined;
  const fields = Object.fromEntries(Object.entries(value));
  // The fields of a form may have any name; an answer has these and no others.
  if (!Object.keys(fields).every((name) => ['optionId', 'text', 'status'].includes(name))) return undefined;
  if (fields['status'] !== 'answered' && fields['status'] !== 'ignored') return undefined;
  return [fields['text'], fields['optionId'], fields['status']].find((field) => typeof field === 'string');
};
