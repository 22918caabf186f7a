import type { DatabaseSync } from 'node:sqlite';
import type { GroupCommit } from './group-commit.ts';

/** Leaves of the index that one transaction of a purge writes anew: two milliseconds or so. */
const leavesPerStep = 16;
/** Leaves that are merged for each passage or message that comes or goes: it adds less than one, which is merged some three times. */
const leavesPerPassage = 4;
/** From a removal until its terms begin to leave the files: what is removed meanwhile goes with them. */
const purgeMs = 1_000;

export interface TermIndex {
  /**
   * Within a write that has added and removed so many of them: merges as much as they make necessary, so that no search
   * has to look through many pieces. The terms of removed ones are in the files until all pieces have been merged.
   */
  changed(found: { readonly added: number; readonly removed: number }): void;
  close(): void;
}

/**
 * Merges the pieces of the index, each of which is what one transaction wrote, a few leaves at a time: left to itself,
 * it merges them all within a commit, which holds up everybody for some 100 ms.
 */
export function tendTermIndex(
  connection: DatabaseSync,
  table: 'passage_terms' | 'message_terms',
  commits: Pick<GroupCommit, 'erase'>,
  onFailure: (error: unknown) => void,
): TermIndex {
  const merge = connection.prepare(`INSERT INTO ${table} (${table}, rank) VALUES ('merge', ?)`);
  const changes = connection.prepare('SELECT total_changes() AS changes');
  const total = () => Number(changes.get()?.['changes']);
  let timer: NodeJS.Timeout | null = null;
  let purging = false;
  let removedSince = false;
  let closed = false;

  /** Whether there was anything left to merge; with a number below zero, every piece is to become part of one. */
  const step = (leaves: number): Promise<boolean> =>
    commits.erase(() => {
      const before = total();
      merge.run(leaves);
      // The command itself counts as one change.
      return total() - before > 1;
    });

  function schedule(): void {
    if (closed || purging) return;
    timer ??= setTimeout(() => {
      timer = null;
      purging = true;
      removedSince = false;
      purge()
        .catch((error: unknown) => {
          if (!closed) onFailure(error);
        })
        .finally(() => {
          purging = false;
          if (removedSince) schedule();
        });
    }, purgeMs).unref();
  }

  async function purge(): Promise<void> {
    let more = await step(-leavesPerStep);
    while (more && !closed) more = await step(leavesPerStep);
  }

  // A process that was killed may have left terms in the index that it had removed.
  schedule();

  return {
    changed({ added, removed }) {
      merge.run(leavesPerPassage * (added + removed));
      if (removed === 0) return;
      removedSince = true;
      schedule();
    },
    close() {
      closed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
