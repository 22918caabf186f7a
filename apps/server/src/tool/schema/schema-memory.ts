import { schemaProblem } from './arguments-schema.ts';
import { schemaMismatches } from './schema-mismatches.ts';

// Run as a process of its own with --expose-gc; prints by how many bytes its heap grows over as many distinct schemas.
const properties = (round: number) =>
  Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${round}_${index}`, { type: 'string' }]));

function rounds(from: number, to: number): void {
  for (let round = from; round < to; round += 1) {
    const accepted = {
      type: 'object',
      properties: properties(round),
      patternProperties: { [`^x${round}$`]: {} },
    };
    const refused = { ...accepted, minimum: 'none' };
    if (schemaProblem(refused) === undefined) throw new Error('A schema that must be refused was not.');
    const { found } = schemaMismatches(accepted, { [`p${round}_0`]: 1 }, 1);
    if (found.length !== 1) throw new Error('A mismatch was not found.');
  }
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

rounds(0, 200);
const before = heap();
rounds(200, 2_200);
process.stdout.write(JSON.stringify({ grown: heap() - before }));
