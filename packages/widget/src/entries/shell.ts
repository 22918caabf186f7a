/** What stands around the conversation and what can be done beside it, for the cards. */
export { default as shellCss } from '../shell/cards.css?inline';
export { AttachButton } from '../attachments/attach-button.tsx';
export { Attached } from '../attachments/attached.tsx';
export { SentFiles } from '../attachments/sent-files.tsx';
export { CharactersLeft } from '../composer/characters-left.tsx';
export { Stop } from '../composer/stop.tsx';
export { ConversationList } from '../history/conversation-list.tsx';
export { NewConversation } from '../history/new-conversation.tsx';
export { Resume } from '../history/resume.tsx';
export { Menu } from '../menu/menu.tsx';
export { Broken } from '../shell/broken.tsx';
export { Notice } from '../shell/notice.tsx';
export { SetupNotice } from '../shell/setup-notice.tsx';
export { attachToPage } from '../shell/attach-to-page.ts';
