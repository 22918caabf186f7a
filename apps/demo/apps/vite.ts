import '@parley/widget/element';
import { createWidget } from '@parley/widget';
import { key, service } from './page.ts';

const main = document.createElement('main');
main.className = 'wrap scene';
const heading = document.createElement('h1');
heading.textContent = 'From npm, built by Vite';

// The element fills its container…
const place = document.createElement('section');
place.className = 'place';
const chat = document.createElement('parley-chat');
chat.setAttribute('service', service);
chat.setAttribute('publishable-key', key);
place.append(chat);

// …and the function makes a bubble of its own.
const last = document.createElement('p');
last.id = 'last';
chat.addEventListener('parley:message', ({ detail }) => {
  last.textContent = `${detail.role}: ${detail.text}`;
});
main.append(heading, place, last);
document.getElementById('root')!.append(main);
const bubble = createWidget({ service, key, id: 'bubble', name: 'Chat in a bubble' });
void bubble.context({ page: 'Vite' });
