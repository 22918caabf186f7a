import { type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';
import { logDigest } from './crypto/log-digest.ts';
import { logDestination } from './log-destination.ts';

export type { Logger } from 'pino';

/** Where lines go: standard output, or what a test reads. */
export interface LogStream {
  write(line: string): void;
}

const standardOutput = logDestination(1);

/** Fields that hold a secret by their name, at whatever depth. */
const secretNames = ['authorization', 'cookie', 'set-cookie', 'token', 'key', 'apiKey', 'secret', 'password'];
const secretField = new RegExp(`^(?:${secretNames.join('|')})$`, 'i');
/** Few lines have such a field, and only those are read again. */
const anySecretField = new RegExp(`"(?:${secretNames.join('|')})":`, 'i');
const keys = /\b(sk|pk)_(live|test)_\w+/g;
/** A session's id, also as a part of its token, and a file's: each is the right to read what it names. */
const capabilities = /\b(ses_[0-9a-f]{32}|file_[\w-]{16,})(?:\.[\w-]{20,})?/g;
const jsonWebTokens = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * A JSON logger that no key and no token passes: neither in a field named for one nor anywhere in a text. Ids that are
 * rights become digests, whoever logs them and inside whatever error.
 */
export function createLogger(level: string, stream: LogStream = standardOutput): Logger {
  const redacting: LogStream = { write: (line) => stream.write(redacted(line)) };
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, serializers: { err: serialized } },
    redacting,
  );
}

/** The serializer puts the causes behind the message, also one that says the same. */
function serialized(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = stdSerializers.err(error);
  const { message, cause } = error;
  return cause instanceof Error && cause.message === message ? { ...fields, message } : fields;
}

function redacted(line: string): string {
  return (anySecretField.test(line) ? withoutSecretFields(line) : line)
    .replace(keys, '$1_$2_[redacted]')
    .replace(jsonWebTokens, '[redacted]')
    .replace(capabilities, (_match, id: string) => logDigest(id));
}

function withoutSecretFields(line: string): string {
  const fields: unknown = JSON.parse(line, (name, value: unknown) =>
    secretField.test(name) ? '[redacted]' : value,
  );
  return `${JSON.stringify(fields)}\n`;
}
