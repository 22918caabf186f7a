import { readConfig } from '../config.ts';
import { createEgress } from '../egress/egress.ts';
import { resolveAgent } from '../resolve-agent.ts';
import { createLogger } from '../logger.ts';
import { startService } from '../service.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { type CrashPoint, crashAt } from './crash-point.ts';

// The service as main.ts starts it, but for the parts through which it kills itself at CRASH_POINT.
const point: CrashPoint = JSON.parse(process.env['CRASH_POINT'] ?? '');
const crash = crashAt(point);
const config = readConfig(process.env);
const { url } = await startService(config, createLogger(config.logLevel), {
  store: crash.store(await openSqliteStore({ path: config.databaseFile })),
  egress: crash.egress(createEgress({ allow: config.egressAllow })),
  resolveAgent: crash.resolveAgent(resolveAgent),
});
process.send?.({ ready: true, url });
