import { Component, type ComponentChildren } from 'preact';

type Props = {
  /** Stands in for what could not be drawn; calling its argument draws that again. */
  instead: (again: () => void) => ComponentChildren;
  failed: (error: unknown) => void;
  children: ComponentChildren;
};

/** Keeps what cannot be drawn from taking all else with it. */
export class ErrorBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };

  override componentDidCatch(error: unknown) {
    this.setState({ isBroken: true });
    this.props.failed(error);
  }

  render({ children, instead }: Props) {
    return this.state.isBroken ? instead(() => this.setState({ isBroken: false })) : children;
  }
}
