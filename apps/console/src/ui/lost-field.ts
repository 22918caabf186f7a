/** How long somebody who types goes on before they see that the field is gone. */
const noticedMs = 1_000;

let unnoticedUntil = -Infinity;

/** A field was removed from under whoever wrote in it. */
export function loseField(at: number): void {
  unnoticedUntil = at + noticedMs;
}

/** Whoever points somewhere has seen what is there. */
export function noticeLostField(): void {
  unnoticedUntil = -Infinity;
}

/** Whether a key that is pressed is still meant for a field that is gone. Whoever types on has not seen it yet. */
export function isForLostField(at: number): boolean {
  if (at >= unnoticedUntil) return false;
  unnoticedUntil = at + noticedMs;
  return true;
}
