import { connect, type FrameMessage, hello, isFrameMessage } from './frame-message.ts';

export type FrameHandlers = {
  ready?(): void;
  /** The visitor has pressed Escape in the frame. */
  close?(): void;
  /** How tall the conversation would like to be, in CSS pixels. */
  size?(height: number): void;
  unread?(count: number): void;
};

export type FrameLink = {
  /** Tell the frame whether it can be seen: what arrives while it cannot is unread. */
  open(): void;
  close(): void;
  disconnect(): void;
};

/**
 * Talks to an iframe of the service, over a channel that only the two of them have. A frame takes one for as long as it is
 * loaded.
 */
export function connectFrame(frame: HTMLIFrameElement, handlers: FrameHandlers): FrameLink {
  const { origin } = new URL(frame.src);
  const ending = new AbortController();
  let port: MessagePort | undefined;
  let isOpen = true;
  const post = (message: FrameMessage) => port?.postMessage(message);

  addEventListener(
    'message',
    ({ source, origin: from, data }: MessageEvent<unknown>) => {
      if (source !== frame.contentWindow || from !== origin || data !== hello) return;
      const channel = new MessageChannel();
      channel.port1.onmessage = ({ data: message }: MessageEvent<unknown>) => {
        if (ending.signal.aborted || !isFrameMessage(message)) return;
        if (message.type === 'size') handlers.size?.(message.height);
        else if (message.type === 'unread') handlers.unread?.(message.count);
        else if (message.type === 'close') handlers.close?.();
        else if (message.type === 'ready') {
          // Asked twice, the frame has taken one of two channels; loaded again, it has taken another.
          port?.close();
          port = channel.port1;
          if (!isOpen) post({ type: 'close' });
          handlers.ready?.();
        }
      };
      frame.contentWindow?.postMessage(connect, origin, [channel.port2]);
    },
    { signal: ending.signal },
  );
  // A frame that was there first has said so to nobody. Any origin may read this: there may be no document yet.
  frame.contentWindow?.postMessage(hello, '*');

  return {
    open() {
      isOpen = true;
      post({ type: 'open' });
    },
    close() {
      isOpen = false;
      post({ type: 'close' });
    },
    disconnect() {
      ending.abort();
      port?.close();
    },
  };
}
