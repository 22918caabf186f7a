import '@parley/widget/element';
import { createWidget } from '@parley/widget';

const element = document.createElement('parley-chat');
element.addEventListener('parley:message', ({ detail }) => detail.role satisfies 'visitor' | 'agent');
document.addEventListener('parley:unread', ({ detail }) => detail.count satisfies number);
element.addEventListener('parley-unread', ({ detail }) => detail.count satisfies number);
// @ts-expect-error -- an unread event has no text
document.addEventListener('parley:unread', ({ detail }) => detail.text);

const widget = createWidget({
  service: 'https://chat.example.com',
  key: 'pk_live_1',
  teaser: '',
  history: true,
});
void widget.update({ position: 'start', locale: undefined });
// @ts-expect-error -- the key of a widget stays
void widget.update({ key: 'pk_live_2' });
