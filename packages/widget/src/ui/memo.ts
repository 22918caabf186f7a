import { Component, type ComponentChildren } from 'preact';

const areSame = <Props extends object>(before: Readonly<Props>, now: Readonly<Props>) =>
  Object.keys(now).every((name) => before[name as keyof Props] === now[name as keyof Props]);

/**
 * Draws again only when something is different, or when its context is. A vnode kept for that with `useMemo` would hold
 * on to the whole tree it was first drawn in.
 */
export function memo<Props extends object>(
  draw: (props: Props) => ComponentChildren,
  isSame: (before: Readonly<Props>, now: Readonly<Props>) => boolean = areSame,
) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>) {
      return !isSame(this.props as Readonly<Props>, next);
    }

    render(props: Props) {
      return draw(props);
    }
  };
}
