import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Operation } from '../log-checker/history.ts';
import type { Tenant } from './tenant.ts';
import type { Reachable } from './restartable-service.ts';

/** A process that is frozen answers nobody. */
const answerMs = 15_000;

interface Sending {
  readonly interface: Operation['interface'];
  readonly path: string;
  readonly body: unknown;
  readonly text?: string;
  readonly requestId?: string;
}

/** Sends as a careful client does: what has no answer is sent again, under the same key, until it has one. */
export async function send<Answer>(
  service: Reachable,
  tenant: Tenant,
  operations: Operation[],
  { interface: origin, path, body, text, requestId }: Sending,
): Promise<Answer> {
  const idempotencyKey = randomUUID();
  for (;;) {
    const { url } = await service.current();
    const started = performance.now();
    const record = (outcome: Operation['outcome']) =>
      operations.push({
        interface: origin,
        apiKey: tenant.secretKey,
        idempotencyKey,
        text: text ?? null,
        requestId: requestId ?? null,
        outcome,
        started,
        ended: performance.now(),
      });
    let status: number;
    let answer: string;
    try {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${tenant.secretKey}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(answerMs),
      });
      status = response.status;
      answer = await response.text();
    } catch {
      record('unknown');
      await setTimeout(10);
      continue;
    }
    if (status < 300) {
      record('ok');
      return JSON.parse(answer) as Answer;
    }
    if (status < 500 && status !== 429) {
      record('refused');
      throw new Error(`${path} was refused: ${status} ${answer}`);
    }
    record(status === 429 ? 'refused' : 'unknown');
    await setTimeout(50);
  }
}
