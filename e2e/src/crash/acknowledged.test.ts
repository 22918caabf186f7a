import { expect, onTestFinished, test } from 'vitest';
import { openBusyService } from './busy-service.ts';
import { followSession } from './reader.ts';
import { send } from './sender.ts';
import { rested } from './visitor.ts';

const kills = 25;

interface Session {
  readonly sessionId: string;
  readonly continuationToken: string;
}

test(
  `two messages are there after a kill right behind their 2xx, ${kills} times`,
  { timeout: 400_000 },
  async () => {
    const busy = await openBusyService();
    onTestFinished(busy.close);
    const { service, operations } = busy;
    const [tenant] = busy.tenants;
    const path = '/parley/v1/session';
    const sessions: Session[] = [];

    /** The first message of a session. */
    const begin = async (text: string): Promise<void> => {
      const body = { message: text };
      sessions.push(
        await send<Session>(service, tenant, operations, { interface: 'sessions', text, path, body }),
      );
    };
    const follow = async ({ sessionId, continuationToken }: Session, text: string): Promise<void> => {
      const body = { continuationToken, message: text };
      const sending = { interface: 'sessions' as const, text, path: `${path}/${sessionId}`, body };
      await send(service, tenant, operations, sending);
    };

    for (let killed = 0; killed < kills; killed += 1) {
      const text = `plain ${tenant.canary}-${killed}`;
      const session = sessions.at(-1);
      await Promise.all([begin(`${text}-first`), session && follow(session, `${text}-next`)]);
      await service.kill();
      await service.start();
    }

    for (const session of sessions) {
      const reader = followSession(service, tenant, session.sessionId);
      await reader.until(rested(session === sessions.at(-1) ? 1 : 2));
      reader.stop();
    }
    expect(operations.map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 2 * kills - 1 }, () => 'ok'),
    );
    expect(await busy.violations()).toEqual([]);
  },
);
