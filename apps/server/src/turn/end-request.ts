import type { Appender } from '../events/appender.ts';
import type { SessionEnd } from '../session/session-command.ts';
import { type ReceivedCommand, type ReceivedCommands, finished } from './received-commands.ts';

/** The end that somebody has asked of the session, until it has ended. */
export class EndRequest {
  #requested: { readonly end: SessionEnd; readonly command: ReceivedCommand } | null = null;
  /** The log has it. */
  ended = false;

  /** The first request counts. */
  request(end: SessionEnd, command: ReceivedCommand): void {
    this.#requested ??= { end, command };
  }

  get requested(): SessionEnd | null {
    return this.#requested?.end ?? null;
  }

  /** Those that have their outcome with the session's end. */
  get commands(): readonly ReceivedCommand[] {
    return this.#requested ? [this.#requested.command] : [];
  }

  async write(
    { events, status }: SessionEnd,
    appender: Appender,
    received: Pick<ReceivedCommands, 'settle'>,
  ): Promise<void> {
    const { commands } = this;
    appender.add(...events);
    await appender.commit({ status, commands: finished(commands, 'ended') });
    this.ended = true;
    received.settle(commands, 'ended');
  }
}
