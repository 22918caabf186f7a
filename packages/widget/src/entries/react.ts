'use client';
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
  useSyncExternalStore,
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

export type ParleyChatProps = Omit<WidgetChanges, 'labels' | 'avatar'> &
  Pick<WidgetOptions, 'mode' | 'teaser' | 'history' | 'fallback'> &
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

const neverChanges = () => () => {};

/**
 * `<parley-chat>` with typed properties and events. An empty element on a server and until it is hydrated: with a
 * service and a key it would have become a widget by then, whose attributes the server has not rendered.
 */
export function ParleyChat({ ref, ...props }: ParleyChatProps): ReactElement {
  const hydrated = useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
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

  const attributes = Object.entries(hydrated ? props : {}).filter(([name]) => !(name in events));
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
