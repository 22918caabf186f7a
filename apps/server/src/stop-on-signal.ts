import type { Logger } from './logger.ts';
import type { RunningService } from './running-service.ts';

/**
 * Longer than all that a stop waits for, and 1 s before `deploy/` has the process killed: then nobody is told what was
 * still open.
 */
const stopMs = 39_000;

/**
 * Stops the service at the first SIGTERM or SIGINT, and then ends the process; at the second, at once. Until the service
 * is told to what this returns, the first one ends the process, too.
 */
export function stopOnSignal(logger: Logger): (service: Pick<RunningService, 'stop'>) => void {
  let running: Pick<RunningService, 'stop'> | null = null;
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    logger.info({ signal }, 'Stopping.');
    // The first process of a container is ended by no signal that it does not listen to: it would go on, and be killed in its turns.
    if (running === null) process.exit(0);
    setTimeout(() => {
      logger.fatal({ alive: process.getActiveResourcesInfo() }, 'Could not stop in time.');
      process.exit(1);
    }, stopMs);
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.fatal({ err: error }, 'Could not stop in order.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return (service) => void (running = service);
}
