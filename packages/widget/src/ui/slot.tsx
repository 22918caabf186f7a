import { type ComponentChildren, type ComponentProps, type ComponentType, h } from 'preact';
import { useContext } from 'preact/hooks';
import type { LaterViews } from '../later-parts.ts';
import { WidgetContext } from '../widget-context.ts';

type Props<Name extends keyof LaterViews> = ComponentProps<LaterViews[Name]> & {
  name: Name;
  /** What is there until then. */
  instead?: ComponentChildren;
};

/** A place that a later part of the panel fills, once it has come. */
export function Slot<Name extends keyof LaterViews>({ name, instead = null, ...props }: Props<Name>) {
  const view: unknown = useContext(WidgetContext).cards?.[name];
  return view ? h(view as ComponentType, props) : instead;
}
