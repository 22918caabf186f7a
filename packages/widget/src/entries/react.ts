import './element.ts';
import type { ParleyChat as Element, ParleyChatAttributes } from './parley-chat.ts';
// oxlint-disable-next-line no-restricted-imports -- the one module that is for pages made with React
import {
  createElement,
  type DetailedHTMLProps,
  type HTMLAttributes,
  type ReactElement,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
} from 'react';
import type { WidgetChanges, WidgetEvents, WidgetOptions } from '../loader/widget-api.ts';

/** What `<parley-chat>` takes in JSX. */
export type ParleyChatElementProps = DetailedHTMLProps<HTMLAttributes<Element>, Element> &
  ParleyChatAttributes;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'parley-chat': ParleyChatElementProps;
    }
  }
}

type Handlers = {
  [Name in keyof WidgetEvents as `on${Capitalised<Name>}`]?: (event: CustomEvent<WidgetEvents[Name]>) => void;
};
type Capitalised<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Capitalised<Rest>}`
  : Capitalize<Name>;

export type ParleyChatProps = Omit<WidgetChanges, 'labels'> &
  Pick<WidgetOptions, 'mode' | 'teaser' | 'history'> &
  Handlers & {
    service: string;
    publishableKey: string;
    widgetId?: string;
    ref?: Ref<Element>;
  };

const events = {
  onOpen: 'open',
  onClose: 'close',
  onReady: 'ready',
  onBeforeSend: 'before-send',
  onBeforeOpenLink: 'before-open-link',
  onMessage: 'message',
  onApproval: 'approval',
  onQuestion: 'question',
  onUnread: 'unread',
  onError: 'error',
} as const satisfies Record<keyof Handlers, keyof WidgetEvents>;

/** `<parley-chat>` with typed properties and events. Renders an empty element on a server. */
export function ParleyChat({ ref, ...props }: ParleyChatProps): ReactElement {
  const element = useRef<Element>(null);
  const latest = useRef(props);
  latest.current = props;
  useImperativeHandle(ref, () => element.current!, []);
  useEffect(() => {
    const ending = new AbortController();
    for (const [handler, event] of Object.entries(events)) {
      const tell = (told: Event) =>
        // The names of the table are those of the handlers.
        (latest.current[handler as keyof Handlers] as ((event: Event) => void) | undefined)?.(told);
      element.current!.addEventListener(`parley:${event}`, tell, ending);
    }
    return () => ending.abort();
  }, []);

  const attributes = Object.entries(props).filter(([name]) => !(name in events));
  return createElement('parley-chat', {
    ...Object.fromEntries(
      attributes.map(([name, value]) => [
        name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
        value,
      ]),
    ),
    ref: element,
  });
}
