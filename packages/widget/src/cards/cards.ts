/** What is loaded beside the panel: everything that a conversation shows, and what can be done with it. */
import markdownCss from '../markdown/markdown.css?inline';
import cardsCss from './cards.css?inline';

export const css = markdownCss + cardsCss;
export { AttachButton } from '../attachments/attach-button.tsx';
export { Attached } from '../attachments/attached.tsx';
export { SentFiles } from '../attachments/sent-files.tsx';
export { cardLabels } from '../labels/card-labels.ts';
export { Announcer } from './announcer.tsx';
export { CharactersLeft } from './characters-left.tsx';
export { ConversationList } from './conversation-list.tsx';
export { Elapsed } from './elapsed.tsx';
export { Form } from './form.tsx';
export { Marks } from './marks.tsx';
export { Menu } from './menu.tsx';
export { servePage } from './serve-page.ts';
export { shareStream } from './share-stream.ts';
export { trackViewport } from './track-viewport.ts';
export { TurnView } from '../turn/turn-view.tsx';
export { Unsent } from './unsent.tsx';
