import type { QueueItem } from '../store/queue-store.ts';

/** What a turn is run for: an item of the queue, a time that has come, or itself, since it was cut off. */
export type TurnSource = QueueItem | 'wake-up' | 'resume';
