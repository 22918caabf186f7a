import { setTimeout } from 'node:timers/promises';
import type { BusyService } from './busy-service.ts';
import { randomFrom } from './random.ts';

/**
 * Kills the service under its visitors at a random moment of their first two seconds, one time in four also the
 * one that takes over, and waits until everybody is at rest. As often as asked for, with new visitors each time.
 */
export async function killAtRandom(
  busy: BusyService,
  { seed, kills, report }: { seed: number; kills: number; report?: (text: string) => void },
): Promise<void> {
  const random = randomFrom(seed);
  for (let killed = 0; killed < kills;) {
    busy.admit();
    const moments = [random() * 2000];
    if (random() < 0.25 && killed + 1 < kills) moments.push(random() * 200);
    for (const moment of moments) {
      await setTimeout(moment);
      await busy.service.kill();
      await busy.service.start();
      killed += 1;
    }
    const restarted = performance.now();
    await busy.settle();
    const restMs = Math.round(performance.now() - restarted);
    const at = moments.map((moment) => `${Math.round(moment)} ms`).join(' and ');
    report?.(`killed at ${at}; everybody at rest ${restMs} ms after the restart`);
  }
}
