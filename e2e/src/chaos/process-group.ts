import { setTimeout } from 'node:timers/promises';
import type { Reachable } from '../crash/restartable-service.ts';
import { type RunningServer, startServer } from '../server.ts';
import { type DatabaseLink, openDatabaseLink } from './database-link.ts';

export const faultKinds = ['killed', 'frozen', 'cut off', 'stalled'] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The name under which the process was known to the database. */
  readonly process: string;
  /** Unix milliseconds. */
  readonly at: number;
}

interface Member {
  readonly number: number;
  /** How many processes have had this place before. */
  starts: number;
  server: RunningServer | null;
  link: DatabaseLink;
  faulty: boolean;
}

/** Several processes of the service on one database, each behind a network of its own. Visitors are sent to one after the other. */
export interface ProcessGroup extends Reachable {
  readonly faults: readonly Fault[];
  /** How many processes are well. */
  readonly well: number;
  /** Something happens to a process that is well, for so long; resolves when it is well again. */
  afflict(choice: number, kind: FaultKind, ms: number): Promise<void>;
  close(): Promise<void>;
}

export async function startProcessGroup(
  count: number,
  databaseUrl: string,
  environment: Record<string, string>,
): Promise<ProcessGroup> {
  const faults: Fault[] = [];
  let closed = false;
  let next = 0;
  const members: Member[] = [];
  for (let number = 0; number < count; number += 1)
    members.push({
      number,
      starts: 0,
      server: null,
      link: await openDatabaseLink(databaseUrl),
      faulty: false,
    });

  const nameOf = ({ number, starts }: Member) => `process_${number}_${starts}`;

  async function start(member: Member): Promise<void> {
    member.starts += 1;
    const url = new URL(member.link.url);
    url.searchParams.set('application_name', nameOf(member));
    const server = await startServer({
      environment: { DATABASE_URL: url.href, SECRET_KEY_BASE: 's'.repeat(48), ...environment },
    });
    member.server = server;
    void server.exited.then(() => {
      if (member.server === server) member.server = null;
    });
  }

  async function kill(member: Member): Promise<void> {
    const { server } = member;
    member.server = null;
    await server?.kill();
  }

  async function suffer(member: Member, kind: FaultKind, ms: number): Promise<void> {
    const pid = member.server?.pid;
    switch (kind) {
      case 'killed':
        await kill(member);
        await setTimeout(ms);
        if (!closed) await start(member);
        return;
      case 'frozen':
        if (pid === undefined) return;
        process.kill(pid, 'SIGSTOP');
        await setTimeout(ms);
        process.kill(pid, 'SIGCONT');
        return;
      case 'cut off':
      case 'stalled':
        if (kind === 'stalled') member.link.stall();
        else member.link.cut();
        await setTimeout(ms);
        member.link.mend();
    }
  }

  await Promise.all(members.map(start));
  return {
    faults,
    get well() {
      return members.filter(({ faulty, server }) => !faulty && server !== null).length;
    },
    async current() {
      for (;;) {
        for (let tried = 0; tried < members.length; tried += 1) {
          const { server } = members[next++ % members.length]!;
          if (server !== null) return server;
        }
        await setTimeout(50);
      }
    },
    async afflict(choice, kind, ms) {
      const well = members.filter(({ faulty, server }) => !faulty && server !== null);
      const member = well[Math.floor(choice * well.length)];
      if (!member) return;
      member.faulty = true;
      faults.push({ kind, process: nameOf(member), at: Date.now() });
      await suffer(member, kind, ms);
      member.faulty = false;
    },
    async close() {
      closed = true;
      await Promise.all(members.map(kill));
      for (const { link } of members) link.close();
    },
  };
}
