import { setImmediate } from 'node:timers/promises';
import type { VectorStore } from '../store/vector-store.ts';

/** Vectors that are read and compared between two turns of the event loop: two or three milliseconds. */
const perPage = 100;
/** Passages of an agent that are compared; what was read later than they were is found by its words alone. */
const maxCompared = 10_000;
/** Of vectors that point farther apart, no model says that their texts have to do with each other. */
const leastLikeness = 0.25;

/** The passages of an agent whose vectors point the way of this one, the nearest first. */
export async function similarPassages(
  store: Pick<VectorStore, 'listVectors'>,
  of: { readonly agentId: string; readonly model: string },
  { vector, limit }: { readonly vector: Float32Array; readonly limit: number },
): Promise<readonly number[]> {
  let nearest: { readonly key: number; readonly likeness: number }[] = [];
  let after = 0;
  for (let compared = 0; compared < maxCompared; compared += perPage) {
    const page = await store.listVectors(of, { after, limit: perPage });
    const found = page
      .filter((each) => each.vector.byteLength === vector.byteLength)
      .map((each) => ({ key: each.key, likeness: likeness(vector, numbersOf(each.vector)) }))
      .filter((each) => each.likeness >= leastLikeness);
    nearest = [...nearest, ...found]
      .toSorted((a, b) => b.likeness - a.likeness || a.key - b.key)
      .slice(0, limit);
    if (page.length < perPage) break;
    after = page.at(-1)!.key;
    await setImmediate();
  }
  return nearest.map(({ key }) => key);
}

/** A copy where the bytes do not begin as numbers have to. */
function numbersOf(bytes: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = byteOffsetOf(bytes) === 0 ? bytes : bytes.slice();
  return new Float32Array(buffer, byteOffset, byteLength / Float32Array.BYTES_PER_ELEMENT);
}

const byteOffsetOf = ({ byteOffset }: Uint8Array): number => byteOffset % Float32Array.BYTES_PER_ELEMENT;

function likeness(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += one[index]! * other[index]!;
  return sum;
}
