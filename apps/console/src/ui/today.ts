import { signal } from '@preact/signals';

const lookAgainMs = 60_000;

/** A moment of the day that it is, also on a screen that is left open overnight. */
export const today = signal(new Date());

setInterval(() => {
  const now = new Date();
  if (now.toDateString() !== today.value.toDateString()) today.value = now;
}, lookAgainMs);
