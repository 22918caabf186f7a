import markdown from '../markdown/markdown.css?inline';
import cards from './cards.css?inline';

export { TurnView } from './turn-view.tsx';
export const css = markdown + cards;
