import { maxAcceptLength } from './bounds.ts';

export type ReplyMode = 'json' | 'event-stream' | 'plain-text';

const mediaTypes: Record<ReplyMode, string> = {
  json: 'application/json',
  'event-stream': 'text/event-stream',
  'plain-text': 'text/plain',
};

type Range = { type: string; quality: number };

/**
 * The mode an `Accept` header asks for; null when it accepts none. A type named in full goes before one matched by a
 * wildcard of equal quality. Where only a wildcard decides, a UI message (`kind` 'message') means the event stream,
 * since the clients that send one set no header of their own.
 */
export function negotiate(accept: string | undefined, kind: 'text' | 'message'): ReplyMode | null {
  if (accept === undefined || accept.trim() === '') return 'json';
  const ranges = parseAccept(accept);
  const order: ReplyMode[] = ['json', 'event-stream', 'plain-text'];
  const wildcardOrder: ReplyMode[] = kind === 'message' ? ['event-stream', 'json', 'plain-text'] : order;
  const offers = [
    ...order.map((mode) => ({ mode, ...match(ranges, mode) })).filter(({ explicit }) => explicit),
    ...wildcardOrder.map((mode) => ({ mode, ...match(ranges, mode) })).filter(({ explicit }) => !explicit),
  ];
  const best = Math.max(...offers.map(({ quality }) => quality));
  return best > 0 ? (offers.find(({ quality }) => quality === best)?.mode ?? null) : null;
}

export type TurnReply = 'json' | 'stream' | 'stream-or-json';

/**
 * How a create or a follow-up is answered: with the stream of its turn where `Accept` names NDJSON in full and prefers
 * nothing to it, with JSON everywhere else. `stream-or-json`: JSON would do as well.
 */
export function negotiateTurn(accept = ''): TurnReply {
  if (accept.length > maxAcceptLength) return 'json';
  const ranges = parseAccept(accept);
  const stream = ranges.find(({ type }) => type === 'application/x-ndjson')?.quality ?? 0;
  const { quality, explicit } = match(ranges, 'json');
  if (stream === 0 || quality > stream || (explicit && quality === stream)) return 'json';
  return quality > 0 ? 'stream-or-json' : 'stream';
}

function match(ranges: readonly Range[], mode: ReplyMode): { quality: number; explicit: boolean } {
  const type = mediaTypes[mode];
  const quality = (wanted: string) => ranges.find((range) => range.type === wanted)?.quality;
  const named = quality(type);
  if (named !== undefined) return { quality: named, explicit: true };
  return { quality: quality(type.replace(/\/.*/, '/*')) ?? quality('*/*') ?? 0, explicit: false };
}

function parseAccept(accept: string): Range[] {
  const entries = accept.match(/(?:"(?:\\.|[^"\\])*"|[^",])+/g) ?? [];
  return entries.flatMap((entry) => {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '') ?? '1';
    if (!/^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)) return [];
    return [{ type, quality: Number(weight) }];
  });
}
