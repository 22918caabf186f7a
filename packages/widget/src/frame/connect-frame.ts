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

/** Talks to an iframe of the service, over a channel that only the two of them have. Call it before the frame loads. */
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
      port?.close();
      const channel = new MessageChannel();
      port = channel.port1;
      port.onmessage = ({ data: message }: MessageEvent<unknown>) => {
        if (!isFrameMessage(message)) return;
        if (message.type === 'size') handlers.size?.(message.height);
        else if (message.type === 'unread') handlers.unread?.(message.count);
        else if (message.type === 'close') handlers.close?.();
        else if (message.type === 'ready') {
          if (!isOpen) post({ type: 'close' });
          handlers.ready?.();
        }
      };
      frame.contentWindow?.postMessage(connect, origin, [channel.port2]);
    },
    { signal: ending.signal },
  );

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
