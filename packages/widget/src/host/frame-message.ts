/** What crosses between a page and the frame in it: nothing else, and nothing secret. */
export type FrameMessage =
  | { type: 'ready' }
  | { type: 'open' }
  | { type: 'close' }
  /** How tall the conversation would like to be, in CSS pixels. */
  | { type: 'size'; height: number }
  | { type: 'unread'; count: number };

/** From the frame, when it can take a port, and from a page that asks whether it can; from the page, with a port. */
export const hello = 'parley:hello';
export const connect = 'parley:connect';

export function isFrameMessage(data: unknown): data is FrameMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  if (data.type === 'size') return 'height' in data && isCount(data.height);
  if (data.type === 'unread') return 'count' in data && isCount(data.count);
  return data.type === 'ready' || data.type === 'open' || data.type === 'close';
}

const isCount = (value: unknown) => typeof value === 'number' && Number.isFinite(value) && value >= 0;
