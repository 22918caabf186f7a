import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import type { Certificate } from '../local-authority.ts';
import type { CalendarContent, Person } from './calendar-content.ts';
import { debianPython, pythonEnvironment } from './debian-python.ts';

const lineMs = 10_000;

/** A mail as `mail_server.py` prints it. */
export interface ReceivedMail {
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly from: readonly Person[];
  readonly to: readonly Person[];
  readonly subject: string;
  readonly messageId: string;
  readonly text: string;
  readonly calendars: readonly CalendarPart[];
  readonly defects: readonly string[];
}

interface CalendarPart extends CalendarContent {
  readonly contentType: string;
  readonly charset: string | null;
  readonly methodOfPart: string | null;
  readonly filename: string | null;
}

export interface MailServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  /** The oldest mail that nobody has been given yet. */
  nextMail(): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** aiosmtpd of Debian, which wants STARTTLS and a password, on a port of its own. */
export async function runMailServer({ certificate, key }: Certificate): Promise<MailServer> {
  const [user, password] = ['desk@shop.example', 'Schlüssel & 鍵'];
  const program = join(import.meta.dirname, 'mail_server.py');
  const child = spawn(debianPython(), [program, certificate, key, user, password], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: pythonEnvironment,
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };

  async function nextLine<Content>(): Promise<Content> {
    const line = await Promise.race([lines.next(), setTimeout(lineMs, null, { ref: false })]);
    if (line === null) throw new Error(`The mail server has said nothing for ${lineMs / 1_000} s.`);
    if (line.done) throw new Error('The mail server has ended.');
    return JSON.parse(line.value) as Content;
  }

  try {
    const { port } = await nextLine<{ port: number }>();
    return { port, user, password, nextMail: () => nextLine<ReceivedMail>(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
