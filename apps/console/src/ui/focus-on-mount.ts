/** The `ref` of what takes the focus when it comes up; the same function at every rendering, so once. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
