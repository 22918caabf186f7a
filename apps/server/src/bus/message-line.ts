import {
  type BusMessage,
  type SessionAppended,
  type SettingsChanged,
  type TurnReading,
  settingsKinds,
} from './bus.ts';

/** What one process says to the others: a message, or that they may have missed some. */
type Line = BusMessage | { readonly topic: 'gap' };

export const gapLine = 'gap';
/** Says nothing; its sender waits for it to come back. */
export const pingLine = 'ping';

/**
 * A message as lines of at most `maxBytes` each. The events of an append are spread over several when they do not fit
 * into one; from the first on that alone is too large they are left out.
 */
export function encodeLines(message: BusMessage, maxBytes: number): string[] {
  switch (message.topic) {
    case 'sessionAppended':
      return encodeAppended(message, maxBytes);
    case 'sessionCommand':
      return [`sessionCommand\t${message.sessionId}\t${message.state}`];
    case 'sessionQueued':
      return [`sessionQueued\t${message.sessionId}`];
    case 'threadChanged':
      // The version before reads no further than the session.
      return [`threadChanged\t${message.sessionId}\t${message.removedFrom ?? ''}`];
    case 'sessionAssigned':
      // A visitor's id is whatever the tenant's own server says.
      return [`sessionAssigned\t${message.sessionId}\t${JSON.stringify(message.visitor)}`];
    case 'turnReading':
      return [`turnReading\t${message.sessionId}\t${message.itemId}\t${message.process}\t${message.state}`];
    case 'settingsChanged':
      return [`settingsChanged\t${message.kind}\t${message.id}\t${message.tenantId ?? ''}`];
  }
}

export function encodeNotice({ sessionId, firstIndex }: SessionAppended): string {
  return `sessionAppended\t${sessionId}\t${firstIndex}`;
}

function encodeAppended(message: SessionAppended, maxBytes: number): string[] {
  const { sessionId, firstIndex, events } = message;
  if (events.length === 0) return [encodeNotice(message)];
  const lines: string[] = [];
  // The index of the last event is the longest.
  const room =
    maxBytes - Buffer.byteLength(encodeNotice({ ...message, firstIndex: firstIndex + events.length })) - 3;
  let inLine: string[] = [];
  let bytes = 0;
  let lineIndex = firstIndex;
  const endLine = () => {
    if (inLine.length > 0) lines.push(`sessionAppended\t${sessionId}\t${lineIndex}\t[${inLine.join()}]`);
    lineIndex += inLine.length;
    inLine = [];
    bytes = 0;
  };
  for (const event of events) {
    const json = JSON.stringify(event);
    const size = Buffer.byteLength(json) + 1;
    if (bytes + size > room) endLine();
    if (size > room) {
      lines.push(encodeNotice({ ...message, firstIndex: lineIndex }));
      return lines;
    }
    inLine.push(json);
    bytes += size;
  }
  endLine();
  return lines;
}

/** Null for a line that nobody here wants, and for what a later version of the service says. */
export function decodeLine(line: string, wants: (sessionId: string) => boolean): Line | null {
  // JSON and ids hold no tab.
  const [topic, first = '', second = '', third = '', fourth = ''] = line.split('\t');
  switch (topic) {
    case 'sessionAppended':
      if (!wants(first)) return null;
      return {
        topic,
        sessionId: first,
        firstIndex: Number(second),
        events: third === '' ? [] : (JSON.parse(third) as SessionAppended['events']),
      };
    case 'sessionCommand':
      return second === 'sent' || second === 'finished' ? { topic, sessionId: first, state: second } : null;
    case 'sessionQueued':
      return { topic, sessionId: first };
    case 'threadChanged':
      return { topic, sessionId: first, ...(second !== '' && { removedFrom: second }) };
    case 'sessionAssigned':
      return { topic, sessionId: first, visitor: JSON.parse(second) as string };
    case 'turnReading':
      return isReadingState(fourth)
        ? { topic, sessionId: first, itemId: second, process: third, state: fourth }
        : null;
    case 'settingsChanged':
      return isKind(first) ? { topic, kind: first, id: second, tenantId: third || null } : null;
    case 'gap':
      return { topic };
    default:
      return null;
  }
}

function isReadingState(state: string): state is TurnReading['state'] {
  return state === 'read' || state === 'left' || state === 'superseded';
}

function isKind(kind: string): kind is SettingsChanged['kind'] {
  return settingsKinds.some((known) => known === kind);
}
