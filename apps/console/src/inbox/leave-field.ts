/** Leaves what is written in for what is read beside it: the focus is seen there, and the keys of the room are heard. */
export function leaveField(field: HTMLElement): void {
  const beside = field
    .closest('.inbox-thread, .inbox-list')
    ?.querySelector<HTMLElement>('.inbox-log, [aria-current]');
  beside?.focus({ preventScroll: true });
}
