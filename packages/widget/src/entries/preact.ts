import './element.ts';
import type { HTMLAttributes } from 'preact';
import type { ParleyChat, ParleyChatAttributes } from './parley-chat.ts';

/** What `<parley-chat>` takes in JSX. */
export type ParleyChatElementProps = HTMLAttributes<ParleyChat> & ParleyChatAttributes;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'parley-chat': ParleyChatElementProps;
    }
  }
}
