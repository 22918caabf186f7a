import { type Logger, destination, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

/** Where lines go: standard output, or what a test reads. */
export interface LogStream {
  write(line: string): void;
}

const secretFields = [
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'key',
  'apiKey',
  'secret',
  'password',
];
const depths = ['', '*.', '*.*.'];
const keys = /\b(sk|pk)_(live|test)_\w+/g;

/** A JSON logger that no key passes: neither in a field named for one nor anywhere in a text. */
export function createLogger(
  level: string,
  stream: LogStream = destination({ dest: 1, sync: false }),
): Logger {
  const redacting: LogStream = { write: (line) => stream.write(line.replace(keys, '$1_$2_[redacted]')) };
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: depths.flatMap((depth) =>
          secretFields.map((name) => `${depth === '' ? '' : depth.slice(0, -1)}["${name}"]`),
        ),
        censor: '[redacted]',
      },
    },
    redacting,
  );
}
