import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** What comes to stand here, and how. */
  readonly children?: ComponentChildren;
}

/** Where nothing is yet. */
export const Empty = ({ icon, title, children }: EmptyProps) => (
  <section class="card empty-state">
    <Icon name={icon} />
    <h2>{title}</h2>
    {children}
  </section>
);
