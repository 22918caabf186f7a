import { lazy } from '../../ui/lazy.tsx';

type Props = { destination: string | null; alt: string; open: boolean };

/** An image of an answer; its description until it is known how to show it. */
export const Image = lazy<Props>(
  () => import('./remote-image.tsx'),
  true,
  ({ alt }) => <>{alt}</>,
);
