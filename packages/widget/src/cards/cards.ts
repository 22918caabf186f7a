/** What is loaded beside the open panel and prefetched for the moment it is needed. */
export { default as css } from './cards.css?inline';
export { cardLabels } from '../labels/card-labels.ts';
export { Announcer } from './announcer.tsx';
export { CharactersLeft } from './characters-left.tsx';
export { CopyButton } from './copy-button.tsx';
export { Elapsed } from './elapsed.tsx';
export { Ending } from './ending.tsx';
export { FailedTurn } from './failed-turn.tsx';
export { Marks } from './marks.tsx';
export { Menu } from './menu.tsx';
export { Part } from './part.tsx';
export { RemoteImage } from './remote-image.tsx';
export { TurnActions } from './turn-actions.tsx';
export { servePage } from './serve-page.ts';
export { shareStream } from './share-stream.ts';
export { trackViewport } from './track-viewport.ts';
export { Unsent } from './unsent.tsx';
