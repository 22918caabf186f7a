import { signal } from '@preact/signals';

/** The secret of a webhook right after it was made: nobody can be shown it again. */
export const shownSecret = signal<{ readonly id: string; readonly secret: string } | null>(null);
