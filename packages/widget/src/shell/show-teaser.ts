import type { Greeting } from './teaser.tsx';

/** Shows a line beside the launcher of a panel that is still closed when it can be shown. */
export function showTeaser(greeting: Greeting): void {
  import('./teaser.tsx')
    .then(({ offerTeaser }) => greeting.panel.hidden && offerTeaser(greeting))
    .catch(console.error);
}
