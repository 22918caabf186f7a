import 'deep-chat';
import type { DeepChat } from 'deep-chat';
import { loadHistory } from './load-history.ts';

const chat = document.createElement('deep-chat') as DeepChat & HTMLElement;
// Of its two ways to stream, the one that does not read the whole text again for each token.
chat.connect = { url: '/reply', stream: { partialRender: true } };
chat.history = (await loadHistory()).flatMap(({ question, answer }) => [
  { role: 'user', text: question },
  { role: 'ai', text: answer },
]);
chat.style.setProperty('width', '400px');
chat.style.setProperty('height', '684px');
const place = document.getElementById('widget')!;
place.className = 'place';
place.append(chat);
