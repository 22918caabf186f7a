import { maxStepTextBytes } from '@parley/protocol/bounds';
import type { FinishReason, Source, Usage } from '@parley/protocol/event';
import { searchToolName } from '@parley/protocol/search-tool';
import type { AssistantPart } from '../model/message.ts';
import { ModelError } from '../model/model-error.ts';
import type { AnswerPart, ModelCall } from '../model/model.ts';
import { newEvent } from '../events/new-event.ts';
import { openTurn } from '../session/state/phase.ts';
import { callModel } from './call-model.ts';
import type { WholePrompt } from './prompt/call-within-window.ts';
import { type TurnContext, stepAt } from './context.ts';
import { Citations, judgeWhole } from './citations.ts';
import { cutToJsonBytes, jsonBytes } from './json-bytes.ts';
import { offeredTools } from './offered-tools.ts';
import { citableSources } from './retrieved.ts';
import { type JudgedCall, StepCalls } from './step-calls.ts';
import { TextPauses } from './text-pieces.ts';

export interface ModelReply {
  readonly text: string;
  /** What the text cites. */
  readonly sources: Source[];
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly content: readonly AssistantPart[];
  readonly calls: readonly JudgedCall[];
}

/** What the open turn has said in its earlier steps. */
function saidBefore({ state, history }: Pick<TurnContext, 'state' | 'history'>): string {
  const sequence = openTurn(state)?.sequence;
  return history
    .filter(({ turn }) => turn === sequence)
    .map(({ message }) => (message.role === 'assistant' ? textOf(message.content) : ''))
    .join('');
}

function textOf(content: string | readonly AssistantPart[]): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/**
 * Calls the model once for the current step and appends what it says as it says it. A reply that is longer than an
 * event of the log may be is cut there, its calls with it, and the provider is not listened to any further.
 */
export async function runModelStep(
  context: TurnContext,
  sequence: number,
  stepIndex: number,
  { messages, tokens }: WholePrompt,
): Promise<ModelReply> {
  const { appender, agent, model, state } = context;
  const at = stepAt(sequence, stepIndex);
  const outputSchema = openTurn(state)?.outputSchema ?? undefined;
  const { tools, offered } = offeredTools(context);
  const mayCall = stepIndex + 1 < agent.settings.maxSteps;
  const showReasoning = agent.settings.reasoning?.show === true;
  let text = '';
  let reasoning = '';
  let reasoningOpen = false;
  let isWhole = false;
  const step = { sessionId: context.session.id, turn: sequence, stepIndex };
  const calls = new StepCalls(step, mayCall ? tools : new Map());
  // Without a search nothing is a citation: what looks like one is what the model has to say.
  const sources = !outputSchema && tools.has(searchToolName) ? citableSources(context) : null;
  const citations = sources && new Citations(sources, saidBefore(context));
  context.hasSpoken = false;
  let textRoom = maxStepTextBytes;
  let reasoningRoom = maxStepTextBytes;

  const completeReasoning = () => {
    if (!reasoningOpen) return;
    reasoningOpen = false;
    appender.add(newEvent('reasoning.completed', { ...at, reasoning }));
  };

  const say = (said: string) => {
    if (said === '') return;
    text += said;
    if (outputSchema) return;
    context.firstDeltaAt ??= Date.now();
    context.hasSpoken = true;
    appender.say({ kind: 'message', at, text: said });
  };
  const cutShort = (): ModelReply => {
    const content: readonly AssistantPart[] = text === '' ? [] : [{ type: 'text', text }];
    return { text, sources: citations?.cited ?? [], finishReason: 'length', usage: {}, content, calls: [] };
  };

  const call: ModelCall = {
    instructions: agent.settings.instructions,
    messages,
    tools: offered,
    toolChoice: mayCall ? undefined : 'none',
    outputSchema,
    signal: context.signal,
  };
  const take = (part: AnswerPart): ModelReply | undefined => {
    switch (part.type) {
      case 'reasoning':
        if (!showReasoning) break;
        reasoningRoom -= jsonBytes(part.text);
        if (reasoningRoom < 0) {
          completeReasoning();
          return cutShort();
        }
        reasoning = reasoningOpen ? reasoning + part.text : part.text;
        reasoningOpen = true;
        context.firstDeltaAt ??= Date.now();
        context.hasSpoken = true;
        appender.say({ kind: 'reasoning', at, text: part.text });
        break;
      case 'text': {
        completeReasoning();
        const size = jsonBytes(part.text);
        const said = size > textRoom ? cutToJsonBytes(part.text, textRoom) : part.text;
        textRoom -= size;
        say(citations?.push(said) ?? said);
        if (textRoom < 0) return cutShort();
        break;
      }
      case 'tool-input': {
        completeReasoning();
        const tool = tools.get(part.toolName);
        if (tool?.executor !== 'server') break;
        const callId = calls.streamed(part.callId, part.delta);
        if (callId === null) break;
        const { toolName } = part;
        const concealed = tool.visibility === 'status';
        context.hasSpoken = true;
        appender.say({ kind: 'input', at, callId, toolName, concealed, text: part.delta });
        break;
      }
      case 'tool-call':
        calls.add(part);
        break;
      case 'finish': {
        isWhole = true;
        completeReasoning();
        say(citations?.end() ?? '');
        const { inputTokens, outputTokens } = part.usage;
        const promptTokens = (inputTokens ?? tokens) + (outputTokens ?? 0);
        if (!context.standIn) context.state = { ...context.state, promptTokens };
        const { judged } = calls;
        const finishReason = judged.length > 0 ? 'tool-calls' : part.finishReason;
        return {
          text,
          sources: citations?.cited ?? [],
          finishReason,
          usage: part.usage,
          content: calls.withOurIds(part.content),
          calls: judged,
        };
      }
    }
    return undefined;
  };

  const reply = await callModel(context, call, () => tokens, take);
  if (reply)
    // What was cut short is what was passed on, and so judged.
    return sources && isWhole ? { ...reply, content: await inventingNothing(reply.content, sources) } : reply;
  throw new ModelError('malformed', `The model ${model.id} ended its reply without a finish.`);
}

/** What the model has said, as it reads it again later: without the citations of what was not retrieved. */
async function inventingNothing(
  content: readonly AssistantPart[],
  sources: ReadonlyMap<number, Source>,
): Promise<readonly AssistantPart[]> {
  const pauses = new TextPauses();
  const kept: AssistantPart[] = [];
  for (const part of content)
    kept.push(
      part.type === 'text'
        ? { ...part, text: await judgeWhole(new Citations(sources), part.text, pauses) }
        : part,
    );
  return kept;
}
