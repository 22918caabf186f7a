import type { ComponentChildren } from 'preact';

export const Problem = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="notice problem" role="alert">
    {children}
  </p>
);

export const Loading = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    <i />
    <i />
    <i />
  </div>
);
