import type { FilePart as SdkFilePart, ModelMessage } from 'ai';
import type { FilePart, Message } from './message.ts';

/** The messages of a prompt as the AI SDK takes them. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    const { role, content } = message;
    if (role === 'tool') return { role, content: [...content] };
    if (typeof content === 'string') return { role, content };
    if (role === 'user')
      return { role, content: content.map((part) => (part.type === 'file' ? sdkFile(part) : part)) };
    return { role, content: content.map((part) => (part.type === 'file' ? sdkFile(part) : part)) };
  });
}

/**
 * The SDK takes untagged data for an address if it can: parsing 10 MiB as one holds the event loop for 200 ms, and what
 * is an address would be fetched past the guarded way out.
 */
function sdkFile(part: FilePart): SdkFilePart {
  return { ...part, data: { type: 'data', data: part.data } };
}
