import { ParleyChat } from './parley-chat.ts';
import type { WidgetEvents } from '../loader/widget-api.ts';

export { ParleyChat };

type Events = {
  [Name in keyof WidgetEvents as `parley${':' | '-'}${Name}`]: CustomEvent<WidgetEvents[Name]>;
};

declare global {
  interface HTMLElementTagNameMap {
    'parley-chat': ParleyChat;
  }
  interface GlobalEventHandlersEventMap extends Events {}
}

if (globalThis.customElements && !customElements.get('parley-chat'))
  customElements.define('parley-chat', ParleyChat);
