import type { ToolResultPart } from 'ai';
import type { FinishReason, Usage } from '@parley/protocol/event';
import { ModelError } from '../model/model-error.ts';
import type { ModelCall, OfferedTool } from '../model/model.ts';
import { newEvent } from '../session/new-event.ts';
import type { AssistantParts } from '../session/state.ts';
import { askQuestion, parseQuestion, type Question } from '../tool/ask-question.ts';
import { callModel } from './call-model.ts';
import { type TurnContext, stepAt } from './context.ts';
import { buildPrompt, estimatePrompt } from './prompt.ts';

interface CallBase {
  readonly callId: string;
  readonly toolName: string;
}

/** A call as the model made it, judged. A faulty one has no event: the model alone is told. */
export type JudgedCall =
  | (CallBase & { kind: 'run'; input: Record<string, unknown> })
  /** For the visitor's page to run. */
  | (CallBase & { kind: 'delegate'; input: Record<string, unknown> })
  | (CallBase & { kind: 'question'; input: Record<string, unknown>; question: Question })
  | (CallBase & { kind: 'faulty'; input: Record<string, unknown>; result: ToolResultPart['output'] });

export interface ModelReply {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly content: AssistantParts;
  readonly calls: readonly JudgedCall[];
}

/** Calls the model once for the current step and appends what it says as it says it. */
export async function modelStep(
  context: TurnContext,
  sequence: number,
  stepIndex: number,
): Promise<ModelReply> {
  const { appender, agent, model, state } = context;
  const at = stepAt(sequence, stepIndex);
  const outputSchema = state.turn?.outputSchema ?? undefined;
  const tools = offeredTools(context);
  const mayCall = stepIndex + 1 < agent.settings.maxSteps;
  const showReasoning = agent.settings.reasoning?.show === true;
  let text = '';
  let reasoning = '';
  let reasoningOpen = false;
  const calls: JudgedCall[] = [];

  const completeReasoning = () => {
    if (!reasoningOpen) return;
    reasoningOpen = false;
    appender.add(newEvent('reasoning.completed', { ...at, reasoning }));
  };

  const call: ModelCall = {
    instructions: agent.settings.instructions,
    messages: await buildPrompt(context),
    tools,
    toolChoice: mayCall ? undefined : 'none',
    outputSchema,
    signal: context.signal,
  };
  for await (const part of callModel(context, call, () => estimatePrompt(context, call))) {
    switch (part.type) {
      case 'reasoning':
        if (!showReasoning) break;
        reasoning = reasoningOpen ? reasoning + part.text : part.text;
        reasoningOpen = true;
        appender.add(newEvent('reasoning.appended', { ...at, reasoningDelta: part.text }));
        break;
      case 'text':
        completeReasoning();
        text += part.text;
        if (!outputSchema) appender.add(newEvent('message.appended', { ...at, messageDelta: part.text }));
        break;
      case 'tool-input': {
        completeReasoning();
        const tool = context.tools.get(part.toolName);
        if (!tool) break;
        const { callId, toolName, delta } = part;
        const concealed = tool.visibility === 'status';
        appender.add(
          newEvent('action.appended', { ...at, callId, toolName, inputDelta: delta }, { concealed }),
        );
        break;
      }
      case 'tool-call':
        calls.push(judge(context, mayCall ? tools : [], part));
        break;
      case 'finish': {
        completeReasoning();
        const { inputTokens, outputTokens } = part.usage;
        const promptTokens = (inputTokens ?? estimatePrompt(context, call)) + (outputTokens ?? 0);
        context.state = { ...context.state, promptTokens };
        const finishReason = calls.length > 0 ? 'tool-calls' : part.finishReason;
        return { text, finishReason, usage: part.usage, content: part.content, calls };
      }
    }
  }
  throw new ModelError('malformed', `The model ${model.id} ended its reply without a finish.`);
}

/** A tool of the agent goes before one that the page gave the same name. */
function offeredTools({ tools, asksQuestions, state }: TurnContext): OfferedTool[] {
  const pageTools = state.clientTools.filter(({ name }) => !tools.has(name));
  const offered: OfferedTool[] = [...tools.values(), ...pageTools].map(
    ({ name, description, parameters }) => ({
      name,
      description,
      parameters,
    }),
  );
  return asksQuestions ? [...offered, askQuestion] : offered;
}

function judge(
  { tools }: TurnContext,
  offered: readonly OfferedTool[],
  call: { callId: string; toolName: string; input: unknown; inputError?: string },
): JudgedCall {
  const { callId, toolName, inputError } = call;
  const input = asArguments(call.input);
  const faulty = (value: string): JudgedCall => ({
    callId,
    toolName,
    kind: 'faulty',
    input: input ?? {},
    result: { type: 'error-text', value },
  });
  if (!offered.some(({ name }) => name === toolName)) return faulty(`There is no tool named ${toolName}.`);
  if (inputError !== undefined) return faulty(`The arguments are not valid JSON: ${inputError}`);
  if (input === null) return faulty('The arguments must be a JSON object.');
  if (toolName === askQuestion.name) {
    const parsed = parseQuestion(input);
    return parsed.ok
      ? { callId, toolName, kind: 'question', input, question: parsed.question }
      : faulty(parsed.message);
  }
  const tool = tools.get(toolName);
  if (!tool) return { callId, toolName, kind: 'delegate', input };
  const wrong = tool.invalid(input);
  return wrong === undefined ? { callId, toolName, kind: 'run', input } : faulty(wrong);
}

function asArguments(input: unknown): Record<string, unknown> | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  return input as Record<string, unknown>;
}
