import type { ComponentChildren } from 'preact';
import { Problem } from './notice.tsx';
import { Page } from './page.tsx';

interface FailedProps {
  /** Where it stands: the way back. */
  readonly trail?: readonly { readonly name: string; readonly href?: string }[];
  /** Why, as a sentence. */
  readonly children: ComponentChildren;
}

/** In place of a screen that cannot be shown. */
export const Failed = ({ trail = [], children }: FailedProps) => (
  <Page title="This cannot be shown" trail={trail}>
    <Problem>{children}</Problem>
  </Page>
);
