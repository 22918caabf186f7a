import type { FilesSettings } from '@parley/protocol/settings/files';

/** Why files are not in the draft that were meant to be. */
export type DraftProblem =
  /** What it takes to deal with files, or the files of an earlier message, could not be loaded. */
  | { kind: 'network' }
  /** Those of an earlier page could not be kept. */
  | { kind: 'lost' }
  /** By their names: what could not be read, what the policy does not take, what was one too many. */
  | {
      kind: 'rejected';
      unreadable: readonly string[];
      refused: readonly string[];
      surplus: readonly string[];
      policy: FilesSettings;
      maxFiles: number;
    };
