import { Worker } from 'node:worker_threads';
import type {
  Extracted,
  ExtractedDocument,
  ExtractReply,
  ExtractRequest,
  ExtractTask,
  ExtractTasks,
} from './extracted.ts';
import { tooMuchMemory } from './too-much-memory.ts';

/** One document takes milliseconds; what takes this long is built to take for ever. */
const timeoutMs = 15_000;
const memory = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
/** Bytes outside of the heap, which the bounds of a thread leave out; how often they are looked at. */
const maxExternalBytes = 256 * 1_024 * 1_024;
const memoryCheckMs = 100;
const idleMs = 60_000;

export type Extraction = { readonly extracted: Extracted } | { readonly problem: string };

type Outcome<Task extends ExtractTask> =
  | { readonly found: ExtractTasks[Task]['found'] }
  | { readonly problem: string };

interface Job {
  /** For whom. */
  readonly owner: string;
  readonly request: ExtractRequest;
  readonly resolve: (outcome: Outcome<ExtractTask>) => void;
}

/**
 * Takes documents apart in a thread with bounds of time and memory, one after the other. A document that breaks them
 * costs its thread, and the next one gets a new one. Owners take turns, so that nobody waits for all that another one
 * has sent.
 */
export class Extractor {
  #worker: Worker | null = null;
  /** The jobs of each owner, whose turn it is first. */
  readonly #waiting = new Map<string, Job[]>();
  #running: Job | null = null;
  #timer: NodeJS.Timeout | null = null;
  #ids = 0;

  async extract(owner: string, document: ExtractedDocument): Promise<Extraction> {
    const outcome = await this.run(owner, 'text', document);
    return 'problem' in outcome ? outcome : { extracted: outcome.found };
  }

  run<Task extends ExtractTask>(
    owner: string,
    task: Task,
    given: ExtractTasks[Task]['given'],
  ): Promise<Outcome<Task>> {
    return new Promise((resolve) => {
      // What the worker answers is of the task that it was given, which no type of a queue of all of them can say.
      const job = { owner, request: { id: (this.#ids += 1), task, given }, resolve } as unknown as Job;
      this.#waiting.set(owner, [...(this.#waiting.get(owner) ?? []), job]);
      this.#next();
    });
  }

  /** What waits is told that it was not read. */
  async close(): Promise<void> {
    const waiting = [...this.#waiting.values()].flat();
    this.#waiting.clear();
    for (const { resolve } of waiting) resolve({ problem: stopped });
    await this.#end(stopped);
  }

  #next(): void {
    if (this.#running) return;
    const job = this.#take();
    this.#clearTimer();
    if (!job) {
      this.#timer = setTimeout(() => void this.#end(stopped), idleMs).unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#start();
    this.#timer = setTimeout(
      () => void this.#end(`It could not be read within ${timeoutMs / 1_000} s.`),
      timeoutMs,
    );
    this.#worker.postMessage(job.request);
    this.#watch(this.#worker, job);
  }

  /** The first job of the owner whose turn it is, who comes last from now on. */
  #take(): Job | undefined {
    for (const [owner, [job, ...others]] of this.#waiting) {
      this.#waiting.delete(owner);
      if (others.length > 0) this.#waiting.set(owner, others);
      return job;
    }
    return undefined;
  }

  /** What takes documents apart inflates them outside of the heap. */
  #watch(worker: Worker, job: Job): void {
    const look = async () => {
      const { external_memory: bytes } = await worker.getHeapStatistics();
      if (this.#running !== job || this.#worker !== worker) return;
      if (bytes > maxExternalBytes) return this.#end(tooMuchMemory);
      setTimeout(again, memoryCheckMs).unref();
    };
    // A worker that has ended has nothing to be looked at.
    const again = () => void look().catch(() => {});
    setTimeout(again, memoryCheckMs).unref();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./extract-worker.ts', import.meta.url), { resourceLimits: memory });
    worker.unref();
    worker.on('message', ({ id, ...outcome }: ExtractReply) => {
      if (this.#running?.request.id === id) this.#finish(outcome);
    });
    const failed = () => {
      if (this.#worker === worker) void this.#end(tooMuchMemory);
    };
    worker.on('error', failed);
    worker.on('exit', failed);
    return worker;
  }

  #finish(outcome: Outcome<ExtractTask>): void {
    const job = this.#running;
    this.#running = null;
    job?.resolve(outcome);
    this.#next();
  }

  async #end(problem: string): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    this.#clearTimer();
    if (this.#running) this.#finish({ problem });
    await worker?.terminate();
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

const stopped = 'The service was stopped before it was read.';
