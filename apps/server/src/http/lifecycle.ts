/** Whether the process still takes work. One object, flipped once, when it is told to stop. */
export interface Lifecycle {
  draining: boolean;
}
