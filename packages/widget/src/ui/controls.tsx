import css from './controls.css?inline';

/** Draws nothing itself: its styles say how controls answer a pointer and the keyboard, and draw boxes to tick. */
const Controls = () => null;

export { css, Controls as Component };
