import type { Logger } from './logger.ts';
import type { RunningService } from './running-service.ts';

/**
 * Longer than all that a stop waits for, and 1 s before `deploy/` has the process killed: then nobody is told what was
 * still open.
 */
const stopMs = 39_000;

/** Stops the service at the first SIGTERM or SIGINT, and then ends the process; at the second, at once. */
export function stopOnSignal(service: Pick<RunningService, 'stop'>, logger: Logger): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'Stopping.');
    setTimeout(() => {
      logger.fatal({ alive: process.getActiveResourcesInfo() }, 'Could not stop in time.');
      process.exit(1);
    }, stopMs);
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'Could not stop in order.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
