import { once } from 'node:events';
import { createServer } from 'node:net';

/** The port that the variable names (0: any free one). Throws, in a sentence that says what to do, unless it can be had. */
export async function freePort(variable: string, standard: number, host: string): Promise<number> {
  const given = process.env[variable]?.trim() || String(standard);
  const another = `${variable}=${standard + 10}`;
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new Error(`${variable}=${given} is no port. Choose a number up to 65535: ${another}`);
  const probe = createServer().listen(Number(given), host);
  try {
    await once(probe, 'listening');
  } catch (cause) {
    throw new Error(`Port ${given} is in use or not allowed. Choose another: ${another}`, { cause });
  }
  probe.close();
  await once(probe, 'close');
  return Number(given);
}
