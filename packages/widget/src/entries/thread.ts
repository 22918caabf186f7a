/** What stands around the messages and what can be done with them, for the cards. */
export { default as threadCss } from '../thread/thread.css?inline';
export { Announcer } from '../thread/announcer.tsx';
export { Away } from '../thread/away.tsx';
export { BubbleEnd } from '../thread/bubble-end.tsx';
export { Elapsed } from '../thread/elapsed.tsx';
export { Ending } from '../thread/ending.tsx';
export { FailedTurn } from '../thread/failed-turn.tsx';
export { Dividers } from '../thread/dividers.tsx';
export { ScrollToEndButton } from '../thread/scroll-to-end-button.tsx';
export { Portrait } from '../thread/portrait.tsx';
export { TurnActions } from '../thread/turn-actions.tsx';
export { Unsent } from '../thread/unsent.tsx';
export { watchReader } from '../thread/watch-reader.ts';
