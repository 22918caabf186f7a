import { ConfigError, readConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { misspeltVariables } from './misspelt-variables.ts';
import { exitCode, startProblem } from './start-problem.ts';
import { stopOnSignal } from './stop-on-signal.ts';
import { listUnbuilt, unbuiltProblem } from './unbuilt.ts';

// A disk that is full of logs, or a reader that is gone, ends no service.
process.stdout.on('error', () => undefined);
try {
  if (process.argv.length > 2)
    throw new ConfigError(
      'The service takes no arguments: it is configured by variables of the environment.',
    );
  const config = readConfig(process.env);
  const logger = createLogger(config.logLevel);
  for (const { given, meant } of misspeltVariables(process.env))
    logger.warn(`The variable ${given} of the environment means nothing here. Was ${meant} meant?`);
  const started = stopOnSignal(logger);
  // Loading it takes a second or more, in which the first process of a container would hear no signal.
  const { startService } = await import('./service.ts');
  const service = await startService(config, logger);
  started(service);
  const { url, adminToken } = service;

  logger.info({ url }, 'Ready.');
  const missing = config.roles.includes('web') ? listUnbuilt() : [];
  if (missing.length > 0) logger.warn(unbuiltProblem(missing));
  const setupLink = config.roles.includes('web') ? await service.createSetupLink() : null;
  if (process.send) process.send({ ready: true, url, adminToken: adminToken.value, setupLink });
  else {
    if (adminToken.made)
      // Its value would stay wherever this output is kept.
      process.stdout.write(`The admin token is in ${config.databaseFile}.admin-token.\n`);
    if (setupLink !== null)
      process.stdout.write(
        `Nobody has set the console up yet. Open this once, within a week: ${setupLink}\n`,
      );
  }
} catch (error) {
  const problem = startProblem(error);
  if (problem === null) throw error;
  process.stderr.write(`${problem}\n`);
  process.exit(exitCode(error));
}
