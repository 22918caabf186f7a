import {
  AssistantModalPrimitive as Modal,
  AssistantRuntimeProvider,
  type ChatModelAdapter,
  ComposerPrimitive as Composer,
  MessagePrimitive as Message,
  ThreadPrimitive as Thread,
  type ThreadMessageLike,
  useLocalRuntime,
} from '@assistant-ui/react';
import { MarkdownTextPrimitive } from '@assistant-ui/react-markdown';
import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
import remarkGfm from 'remark-gfm';
import { loadHistory } from './load-history.ts';

const adapter: ChatModelAdapter = {
  async *run({ abortSignal }) {
    const response = await fetch('/reply', { method: 'POST', body: '{}', signal: abortSignal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    let rest = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const events = (rest + value).split('\n\n');
      rest = events.pop()!;
      for (const event of events) text += (JSON.parse(event.slice('data: '.length)) as { text: string }).text;
      // Once for all that has come while it was busy.
      yield { content: [{ type: 'text', text }] };
    }
  },
};

// Without the typing effect, which holds text back.
const Markdown = () => h(MarkdownTextPrimitive, { remarkPlugins: [remarkGfm], smooth: false });
const UserMessage = () => h(Message.Root, { className: 'user' }, h(Message.Parts));
const AssistantMessage = () => h(Message.Root, null, h(Message.Parts, { components: { Text: Markdown } }));

function App({ messages }: { messages: ThreadMessageLike[] }) {
  const runtime = useLocalRuntime(adapter, { initialMessages: messages });
  const thread = h(
    Thread.Root,
    { className: 'thread' },
    h(
      Thread.Viewport,
      { className: 'log' },
      h(Thread.Messages, { components: { UserMessage, AssistantMessage } }),
    ),
    h(
      Composer.Root,
      { className: 'composer' },
      h(Composer.Input, { placeholder: 'Write a message' }),
      h(Composer.Send, null, 'Send'),
    ),
  );
  return h(
    AssistantRuntimeProvider,
    { runtime },
    h(
      Modal.Root,
      { defaultOpen: messages.length > 0 },
      h(Modal.Anchor, { className: 'launcher-place' }, h(Modal.Trigger, { className: 'launcher' }, 'Chat')),
      h(Modal.Content, { className: 'panel', sideOffset: 16 }, thread),
    ),
  );
}

const messages = (await loadHistory()).flatMap(({ question, answer }): ThreadMessageLike[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer },
]);
createRoot(document.getElementById('widget')!).render(h(App, { messages }));
