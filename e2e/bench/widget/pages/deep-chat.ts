import 'deep-chat';
import type { DeepChat } from 'deep-chat';
import { loadHistory } from './load-history.ts';

const chat = document.createElement('deep-chat') as DeepChat & HTMLElement;
chat.connect = { url: '/reply', stream: true };
chat.history = (await loadHistory()).flatMap(({ question, answer }) => [
  { role: 'user', text: question },
  { role: 'ai', text: answer },
]);
chat.style.setProperty('width', '400px');
chat.style.setProperty('height', '684px');
const place = document.getElementById('widget')!;
place.className = 'place';
place.append(chat);
