import { embed } from '../loader/embed.ts';
import type { WidgetCalls, WidgetEvents, WidgetOptions } from '../loader/widget-api.ts';

export type { VisitorToken } from '@parley/conversation';
export type { ClientTool, WidgetOptions } from '../loader/widget-api.ts';
export { connectFrame, type FrameHandlers, type FrameLink } from '../host/connect-frame.ts';

export type WidgetEvent<Name extends keyof WidgetEvents> = CustomEvent<WidgetEvents[Name]>;

/** A widget of this page. Every call may come at any moment; calls before `destroy` are done in their order. */
export type Widget = {
  [Verb in keyof WidgetCalls]: (...args: Parameters<WidgetCalls[Verb]>) => Promise<void>;
} & {
  /** The element that the events are dispatched on. */
  readonly host: HTMLElement;
  show(): Promise<void>;
  hide(): Promise<void>;
  on<Name extends keyof WidgetEvents>(
    event: Name,
    handler: (event: WidgetEvent<Name>) => void,
  ): Promise<void>;
  off<Name extends keyof WidgetEvents>(
    event: Name,
    handler: (event: WidgetEvent<Name>) => void,
  ): Promise<void>;
  destroy(): Promise<void>;
};

export type CreateOptions = WidgetOptions & {
  /** The service's address, as in `https://chat.example.com`. */
  service: string;
  /** Where an inline widget goes; it fills this element. */
  container?: Element;
  /** An element that becomes the host; by default a new one. */
  host?: HTMLElement;
};

const verbs =
  'open close toggle send prefill identify logout update context tool show hide on off destroy'.split(' ');

/** A widget in this page, its panel loaded from this package when it is wanted. In a browser only. */
export function createWidget({ service, container, host: given, ...options }: CreateOptions): Widget {
  const host = given ?? document.createElement('div');
  if (!given) (container ?? document.documentElement).append(host);
  const { call } = embed(
    host,
    service.replace(/\/+$/, ''),
    { ...options, id: options.id ?? '' },
    () => import('../shell/mount.tsx'),
    () => import('./judge.ts'),
    () => {
      if (!given) host.remove();
    },
  );
  const methods = verbs.map((verb) => [verb, (...args: unknown[]) => call(verb, ...args)]);
  // The type says verb by verb what `call` takes as a list.
  return { host, ...Object.fromEntries(methods) } as Widget;
}
