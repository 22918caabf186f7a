import { expect, onTestFinished, test } from 'vitest';
import { openBusyService } from './busy-service.ts';
import { followSession } from './reader.ts';
import { send } from './sender.ts';
import { rested } from './visitor.ts';

const kills = 50;

interface Session {
  readonly sessionId: string;
  readonly continuationToken: string;
}

test(
  `a message is there after a kill right behind its 2xx, ${kills} times`,
  { timeout: 180_000 },
  async () => {
    const busy = await openBusyService();
    onTestFinished(busy.close);
    const { service, operations } = busy;
    const [tenant] = busy.tenants;
    const path = '/parley/v1/session';
    const sessions: Session[] = [];

    for (let killed = 0; killed < kills; killed += 1) {
      const text = `plain ${tenant.canary}-${killed}`;
      const session = killed % 2 === 0 ? undefined : sessions.at(-1);
      const sending = { interface: 'sessions' as const, text };
      if (session) {
        const { sessionId, continuationToken } = session;
        const body = { continuationToken, message: text };
        await send(service, tenant, operations, { ...sending, path: `${path}/${sessionId}`, body });
      } else {
        const body = { message: text };
        sessions.push(await send<Session>(service, tenant, operations, { ...sending, path, body }));
      }
      await service.kill();
      await service.start();
    }

    for (const { sessionId } of sessions) {
      const reader = followSession(service, tenant, sessionId);
      await reader.until(rested(2));
      reader.stop();
    }
    expect(operations.map(({ outcome }) => outcome)).toEqual(Array.from({ length: kills }, () => 'ok'));
    expect(await busy.violations()).toEqual([]);
  },
);
