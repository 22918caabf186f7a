import type { SessionReference, TurnOptions } from '@parley/client/session-input';
import type { MessagePart } from '@parley/protocol/event';
import type { Environment } from '../environment.ts';
import type { FileKey, FileStorage } from '../outbox/file-storage.ts';
import { openChannel } from '../tabs/open-channel.ts';

/** A conversation, with the id of the message that began it: sent into it as well, that one would be there twice. */
export type Session = SessionReference & { first?: string };

export type ConversationStorage = ReturnType<typeof createConversationStorage>;

/** A message that the log has not shown yet. `after` is the first event that may be its own. */
export type StoredMessage = {
  id: string;
  /** As the log will have it: files by name. */
  text: string;
  /** Of a message with files, whose bytes are kept elsewhere. */
  parts?: readonly MessagePart[];
  /** Its files at the service, in the order of the parts. */
  fileIds?: readonly string[];
  at: number;
  after: number;
  /** The first event that was not on the screen when it was written: it answers nothing that was asked from there on. */
  shown?: number;
  /** What the page had told its widget then: the same message has to be sent again if it is sent again. */
  options?: TurnOptions;
};

export type Entry =
  | 'consent'
  | 'draft'
  | 'entries'
  | 'files'
  | 'form'
  | 'form-language'
  | 'last'
  | 'notify'
  | 'ratings'
  | 'refused'
  | 'results'
  | 'seen'
  | 'visitor';

/** After this time the service may no longer know an idempotency key: sending again could double the message. */
export const longestWait = 20 * 60 * 60 * 1_000;

/**
 * What a visitor has here, for every tab of the origin: the conversation, the unsent messages, the draft. In memory
 * where there is no storage or it is blocked; nothing is written before a visitor has typed, chosen or answered
 * something, or the page has named them. `name`: what all tabs of this visitor agree on.
 */
export function createConversationStorage(name: string, environment: Environment, files: FileStorage) {
  const { storage } = environment;
  const channel = openChannel(environment, name);
  /** What could not be stored. */
  const memory = new Map<string, string>();

  const get = (entry: string): string | null => {
    try {
      return memory.get(entry) ?? storage!().getItem(name + entry);
    } catch {
      return null;
    }
  };
  const set = (entry: string, text: string) => {
    memory.delete(entry);
    try {
      if (text === '') storage!().removeItem(name + entry);
      else storage!().setItem(name + entry, text);
    } catch {
      // There is none, or it is blocked or full: the conversation lives as long as this page.
      if (text !== '') memory.set(entry, text);
    }
  };
  const ownMessages = new Set<string>();

  const readOutbox = (): StoredMessage[] => (parse(get(':outbox'), Array.isArray) ?? []).filter(isMessage);

  const readObject = (entry: Entry) => parse(get(`:${entry}`), isObject);

  return {
    name,
    read: (): Session | null => parse(get(''), isReference),
    write(reference: Session | null) {
      set('', reference ? JSON.stringify(reference) : '');
      if (!reference) set(':entries', '');
      channel?.postMessage(reference);
    },
    readOutbox,
    /** What other tabs have not sent yet stays. */
    writeOutbox(messages: readonly StoredMessage[]) {
      for (const { id } of messages) ownMessages.add(id);
      const all = [...readOutbox().filter(({ id }) => !ownMessages.has(id)), ...messages];
      set(':outbox', all.length > 0 ? JSON.stringify(all) : '');
    },
    /** The JSON object kept under an entry, if it is one. */
    readObject,
    /** What else is kept: the draft, whether new answers sound, how many have been seen, which were of help. */
    get: (entry: Entry): string => get(`:${entry}`) ?? '',
    /** An empty text leaves nothing behind. */
    set(entry: Entry, text: string) {
      if (text !== (get(`:${entry}`) ?? '')) set(`:${entry}`, text);
    },
    /** Leaves nothing but who the visitor is from now on, and whether new answers sound. */
    forget(visitor: string) {
      for (const kept of [readObject('files') ?? [], ...readOutbox().filter(({ parts }) => parts)].flat())
        void files.remove(kept as FileKey);
      const entries = [
        'draft',
        'entries',
        'files',
        'outbox',
        'ratings',
        'refused',
        'results',
        'seen',
        'consent',
        'form',
        'form-language',
        'last',
      ];
      for (const entry of ['', ...entries.map((each) => `:${each}`)]) set(entry, '');
      set(':visitor', visitor);
      channel?.postMessage({ visitor });
    },
    /** Calls back with what another tab has chosen: a conversation, or to forget the visitor for another one. */
    subscribe(changed: (reference: Session | null) => void, forgotten: (visitor: string) => void): void {
      if (!channel) return;
      channel.onmessage = ({ data }: MessageEvent<unknown>) => {
        if (hasTexts(data, 'visitor')) {
          memory.clear();
          // This tab may have shown an answer since; and what the other one has emptied may still stand here.
          set(':seen', '');
          set(':entries', '');
          return forgotten((data as { visitor: string }).visitor);
        }
        const reference = isReference(data) ? data : null;
        set('', reference ? JSON.stringify(reference) : '');
        changed(reference);
      };
    },
    close: () => channel?.close(),
  };
}

function parse<Value>(text: string | null, isValid: (value: unknown) => value is Value): Value | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

const hasTexts = (value: unknown, ...names: string[]) =>
  names.every((each) => typeof (value as Record<string, unknown> | null)?.[each] === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const isReference = (value: unknown): value is Session => hasTexts(value, 'sessionId', 'continuationToken');

const isMessage = (value: unknown): value is StoredMessage => hasTexts(value, 'id', 'text');
