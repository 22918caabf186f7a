import { setTimeout } from 'node:timers/promises';
import { randomFrom } from '../crash/random.ts';
import type { Reader } from '../crash/reader.ts';
import { createTenant, tools, type Tenant } from '../crash/tenant.ts';
import { openToolSink } from '../crash/tool-sink.ts';
import { type Place, type Visitor, kinds, visit } from '../crash/visitor.ts';
import { wrongAnswers } from '../crash/wrong-answers.ts';
import { checkHistory } from '../log-checker.ts';
import type { History, Operation } from '../log-checker/history.ts';
import { audit } from './auditor.ts';
import { openPostgresDatabase } from '../postgres-database.ts';
import { type BrokenWord, interrupt } from './interrupter.ts';
import { type TakeOver, lateWrites, takeOvers, watchOwnership } from './ownership.ts';
import { type FaultKind, type ProcessGroup, faultKinds, startProcessGroup } from './process-group.ts';
import { readLogs } from './read-logs.ts';

/** A lease lasts 5 s. */
const faultMs = { from: 6_000, to: 9_000 };
const restartMs = { from: 200, to: 1_500 };
const betweenFaultsMs = { from: 2_000, to: 5_000 };
const restMs = 60_000;
/** Faults beyond those that are asked for, while none of them was worth something. */
const maxMore = 5;

interface Followed {
  readonly reader: Reader;
  readonly tenant: Tenant;
}

interface Outcome {
  readonly violations: readonly { readonly invariant: string; readonly detail: string }[];
  readonly takeOvers: readonly TakeOver[];
}

/** Processes on one PostgreSQL die, freeze and lose it under visitors, one fault after the other, until there are no more. */
export async function chaosOfProcesses(options: {
  readonly processes: number;
  readonly visitors: number;
  readonly faults: Iterable<FaultKind>;
  readonly seed: number;
  readonly report: (line: string) => void;
}): Promise<Outcome> {
  const { report } = options;
  const random = randomFrom(options.seed);
  const between = ({ from, to }: { from: number; to: number }) => from + random() * (to - from);
  const database = await openPostgresDatabase();
  const sink = await openToolSink();
  const group = await startProcessGroup(options.processes, database.url, { EGRESS_ALLOW: sink.address });
  try {
    await watchOwnership(database);
    const server = await group.current();
    const tenants = [
      await createTenant(server, sink, 'heron'),
      await createTenant(server, sink, 'magpie'),
    ] as const;
    const operations: Operation[] = [];
    const broken: BrokenWord[] = [];
    const talking: { visitor: Visitor; tenant: Tenant; readers: () => readonly Reader[] }[] = [];
    for (let number = 0; number < options.visitors; number += 1) {
      const tenant = tenants[number % 2]!;
      const pause = () => setTimeout(500 + random() * 1_000);
      const place: Place = { service: group, tenant, operations, pause };
      const kind = [...kinds, 'cancel' as const, 'end' as const][
        Math.floor(number / 2) % (kinds.length + 2)
      ]!;
      if (kind === 'cancel' || kind === 'end') {
        const visitor = interrupt(place, kind, number, broken);
        talking.push({ visitor, tenant, readers: () => visitor.readers });
      } else {
        const visitor = visit(place, kind, number);
        talking.push({ visitor, tenant, readers: () => (visitor.reader ? [visitor.reader] : []) });
      }
    }
    const followed = (): Followed[] =>
      talking.flatMap(({ tenant, readers }) => readers().map((reader) => ({ reader, tenant })));
    const auditor = audit(group, followed, random);

    const begun = performance.now();
    const afflictions: Promise<void>[] = [];
    const afflict = async (kind: FaultKind) => {
      do await setTimeout(between(betweenFaultsMs));
      while (group.well < 2);
      const ms = Math.round(between(kind === 'killed' ? restartMs : faultMs));
      const seconds = Math.round((performance.now() - begun) / 1_000);
      report(`${seconds} s: a process is ${kind} for ${ms} ms; ${operations.length} requests so far`);
      afflictions.push(group.afflict(random(), kind, ms));
    };
    for (const kind of options.faults) await afflict(kind);
    await Promise.all(afflictions);
    // A process that had no turn to lose when it was afflicted has shown nothing.
    for (let more = 0; more < maxMore && (await takeOvers(database, group.faults)).length === 0; more += 1) {
      await afflict('frozen');
      await Promise.all(afflictions);
    }
    const healed = performance.now();
    const restless = await allAtRest(talking.map(({ visitor }) => visitor));
    report(`everybody at rest ${Math.round(performance.now() - healed)} ms after the last fault`);
    auditor.stop();

    const history: History = {
      operations,
      connections: [...followed().flatMap(({ reader }) => reader.connections), ...auditor.connections],
      logs: await readLogs(database, group, tenants),
      deliveries: sink.deliveries,
      tools,
      canaries: Object.fromEntries(tenants.map(({ tenantId, canary }) => [tenantId, canary])),
    };
    for (const { reader } of followed()) reader.stop();
    const violations = [
      ...checkHistory(history),
      ...wrongAnswers(history),
      ...auditor.differences,
      ...broken,
      ...restless,
      ...(await lateWrites(database)),
    ];
    report(figures(history, group));
    return { violations, takeOvers: await takeOvers(database, group.faults) };
  } finally {
    await group.close();
    sink.close();
    await database.close();
  }
}

async function allAtRest(all: readonly Visitor[]): Promise<{ invariant: 'at rest'; detail: string }[]> {
  const restless = new Set(all);
  const refused: { invariant: 'at rest'; detail: string }[] = [];
  for (const visitor of all) visitor.stop();
  const rest = all.map((visitor) =>
    visitor.idle.then(
      () => restless.delete(visitor),
      (error: unknown) => {
        restless.delete(visitor);
        refused.push({ invariant: 'at rest', detail: `${visitor.name}: ${String(error)}` });
      },
    ),
  );
  const late = new AbortController();
  const deadline = setTimeout(restMs, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([Promise.all(rest), deadline]);
  late.abort();
  const details = [...restless].map(({ name, reader }) => {
    const last = reader?.events.slice(-4).map((event) => JSON.stringify(event)) ?? [];
    const detail = `${name} (${reader?.session}) is not at rest after ${restMs} ms:\n    ${last.join('\n    ')}`;
    return { invariant: 'at rest' as const, detail };
  });
  return [...refused, ...details];
}

function figures({ logs, operations, deliveries, connections }: History, { faults }: ProcessGroup): string {
  const events = [...logs.values()].reduce((sum, log) => sum + log.length, 0);
  const of = (outcome: Operation['outcome']) =>
    operations.filter((operation) => operation.outcome === outcome).length;
  const counted = faultKinds.map((kind) => `${faults.filter((fault) => fault.kind === kind).length} ${kind}`);
  return (
    `${faults.length} faults (${counted.join(', ')}), ${logs.size} sessions, ${events} events, ${deliveries.length} tool calls\n` +
    `${operations.length} requests: ${of('ok')} accepted, ${of('refused')} refused, ${of('unknown')} without an answer; ` +
    `${connections.length} connections of readers`
  );
}
