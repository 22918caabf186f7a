import type { FinishReason } from '@parley/protocol/event';

type ToolInput = { toolCallId: string; toolName: string; dynamic?: boolean };

/** One event of a Chat reply. New types may appear: pass over what you do not know. */
export type ChatChunk =
  | { type: 'start'; messageId?: string; messageMetadata?: unknown }
  | { type: 'start-step' | 'finish-step' }
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end'; id: string }
  | { type: 'text-delta' | 'reasoning-delta'; id: string; delta: string }
  | ({ type: 'tool-input-start' } & ToolInput)
  | { type: 'tool-input-delta'; toolCallId: string; inputTextDelta: string }
  | ({ type: 'tool-input-available'; input: unknown } & ToolInput)
  | { type: 'tool-approval-request'; approvalId: string; toolCallId: string }
  | { type: 'tool-output-available'; toolCallId: string; output: unknown; dynamic?: boolean }
  | { type: 'tool-output-error'; toolCallId: string; errorText: string; dynamic?: boolean }
  | { type: 'tool-output-denied'; toolCallId: string }
  | { type: 'finish'; finishReason?: FinishReason; messageMetadata?: unknown }
  | { type: 'error'; errorText: string };
