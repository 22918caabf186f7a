import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { testFolder } from '../testing/test-service.ts';
import { askNameServers } from './ask-name-servers.ts';
import { checkedAddresses } from './destination.ts';
import { parseEgressAllow } from './egress-allow.ts';
import { createHostsFile } from './hosts-file.ts';
import type { Address } from './public-address.ts';
import { createSystemResolve } from './system-resolve.ts';

const typeA = 1;
const typeAAAA = 28;
const noSuchName = 3;

/** A name server: what it has for a name; undefined: it says nothing. */
async function nameServer(
  has: (name: string, type: number) => readonly (readonly number[])[] | undefined | null,
) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const type = query.readUInt16BE(at + 1);
    const name = labels.join('.').toLowerCase();
    asked.push(name);
    const data = has(name, type);
    if (data === undefined) return;
    const question = query.subarray(12, at + 5);
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 + (data === null ? noSuchName : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(data?.length ?? 0, 6);
    const answers = (data ?? []).map((bytes) =>
      Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, question, ...answers]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] };
}

const four = (address: string): Address => ({ address, family: 4 });

test('a name whose name server is dead takes no thread, is asked for once, and holds up no other', async () => {
  const { asked, servers } = await nameServer((name, type) =>
    name === 'shop.example.com' ? (type === typeA ? [[93, 184, 216, 34]] : []) : undefined,
  );
  const looked: string[] = [];
  const resolve = createSystemResolve({
    ask: (hostname) => askNameServers(hostname, servers),
    look: (hostname) => {
      looked.push(hostname);
      return Promise.resolve([four('93.184.216.35')]);
    },
    isInHostsFile: () => Promise.resolve(false),
  });
  const dead = Array.from({ length: 20 }, () => resolve('dead.example.com', false));
  const outcomes = Promise.allSettled(dead);
  expect(await resolve('shop.example.com', false)).toEqual([four('93.184.216.34')]);
  // Once for each kind of address, and each of them tried twice.
  for (const { status, reason } of (await outcomes) as PromiseRejectedResult[])
    expect([status, reason?.code]).toEqual(['rejected', 'EAI_AGAIN']);
  expect(asked.filter((name) => name === 'dead.example.com').length).toBeLessThanOrEqual(4);
  expect(looked).toEqual([]);
});

test('every address of both kinds is judged', async () => {
  const { servers } = await nameServer((_name, type) =>
    type === typeAAAA
      ? [[0xfd, 0, ...Array<number>(13).fill(0), 1]]
      : [
          [93, 184, 216, 34],
          [93, 184, 216, 35],
        ],
  );
  const resolve = createSystemResolve({
    ask: (hostname) => askNameServers(hostname, servers),
    look: () => Promise.resolve([]),
    isInHostsFile: () => Promise.resolve(false),
  });
  expect(await resolve('mixed.example.com', false)).toEqual([
    four('93.184.216.34'),
    four('93.184.216.35'),
    { address: 'fd00::1', family: 6 },
  ]);
  const place = { hostname: 'mixed.example.com', port: 443 };
  await expect(checkedAddresses(place, parseEgressAllow([]), resolve)).rejects.toMatchObject({
    reason: 'address',
  });
});

test('the system is asked for names of its own and of the operator, and one at a time for what no name server knows', async () => {
  const { asked, servers } = await nameServer(() => null);
  const file = join(testFolder(), 'hosts');
  await writeFile(file, '# 127.0.0.1 not.example.com\n10.0.0.7\tTools.Example.com tools # and more\n');
  let looking = 0;
  let most = 0;
  const resolve = createSystemResolve({
    ask: (hostname) => askNameServers(hostname, servers),
    look: async () => {
      most = Math.max(most, ++looking);
      await new Promise((done) => setTimeout(done, 20));
      looking -= 1;
      return [four('10.0.0.7')];
    },
    isInHostsFile: createHostsFile(file),
  });
  for (const name of ['localhost', 'a.localhost', 'printer.local', 'redis', 'tools.example.com'])
    expect(await resolve(name, false), name).toEqual([four('10.0.0.7')]);
  expect(await resolve('opened.example.com', true)).toEqual([four('10.0.0.7')]);
  expect(asked).toEqual([]);
  most = 0;
  const names = Array.from({ length: 5 }, (_, n) => `mdns${n}.example.com`);
  const found = await Promise.all(names.map((name) => resolve(name, false)));
  expect(found).toEqual(names.map(() => [four('10.0.0.7')]));
  expect(most).toBe(1);
  expect(await resolve('not.example.com', false)).toEqual([four('10.0.0.7')]);
  expect(asked).toContain('not.example.com');
});

test('where no name server is, the system is asked', async () => {
  const closed = createSocket('udp4').bind(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address();
  closed.close();
  expect(await askNameServers('shop.example.com', [`127.0.0.1:${port}`])).toBeNull();
});
