import markdown from '../markdown/markdown.css?inline';
import cards from './cards.css?inline';

export { Announcer } from './announcer.tsx';
export { TurnView } from './turn-view.tsx';
export const css = markdown + cards;
