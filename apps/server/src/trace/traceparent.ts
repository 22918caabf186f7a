/** Version 00 of the header of W3C Trace Context, 3.2; ids of zeros only are not valid. */
const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-(0[01])$/;

export interface TraceParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Null for what is none. */
export function parseTraceparent(text: unknown): TraceParent | null {
  const [, traceId, spanId, flags] = (typeof text === 'string' && pattern.exec(text)) || [];
  if (traceId === undefined || spanId === undefined) return null;
  return { traceId, spanId, traceFlags: Number(flags) };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: TraceParent): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`;
}
