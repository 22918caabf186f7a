import type { AssistantPart, Message } from './message.ts';
import type { Model, ModelCall, ModelPart } from './model.ts';
import { renamedKeys, type SafeNames, safeNames } from './safe-names.ts';

/**
 * A model whose provider may refuse all that is asked of it for one name of a property. It reads and writes safe names, also
 * in its earlier calls, and everybody else those of the tools.
 */
export const withSafeNames = (model: Model): Model => ({
  id: model.id,
  stream(call) {
    const renamed = new Map<string, SafeNames>();
    for (const { name, parameters } of call.tools) {
      const names = safeNames(parameters);
      if (names !== null) renamed.set(name, names);
    }
    return renamed.size === 0 ? model.stream(call) : streamRenamed(model, call, renamed);
  },
});

async function* streamRenamed(
  model: Model,
  call: ModelCall,
  renamed: ReadonlyMap<string, SafeNames>,
): AsyncGenerator<ModelPart> {
  const input = (toolName: string, given: unknown, to: 'own' | 'safe') => {
    const names = renamed.get(toolName);
    return names === undefined ? given : renamedKeys(given, names[to]);
  };
  const content = (parts: readonly AssistantPart[], to: 'own' | 'safe') =>
    parts.map((part) =>
      part.type === 'tool-call'
        ? { ...part, input: input(part.toolName, part.input, to) as typeof part.input }
        : part,
    );
  const tools = call.tools.map((tool) => ({
    ...tool,
    parameters: renamed.get(tool.name)?.parameters ?? tool.parameters,
  }));
  const messages = call.messages.map((message): Message =>
    message.role === 'assistant' && typeof message.content !== 'string'
      ? { ...message, content: content(message.content, 'safe') }
      : message,
  );
  for await (const part of model.stream({ ...call, tools, messages })) {
    if (part.type === 'finish') yield { ...part, content: content(part.content, 'own') };
    else if (part.type === 'tool-call') yield { ...part, input: input(part.toolName, part.input, 'own') };
    // A name that comes in pieces cannot be replaced: arguments are shown once they are whole.
    else if (part.type === 'tool-input' && renamed.has(part.toolName))
      yield { type: 'hidden', bytes: Buffer.byteLength(part.delta) };
    else yield part;
  }
}
