import { lazy } from '../ui/lazy.tsx';

const LongText = lazy(() => import('./long-text.tsx'), true);
/** With fewer characters it has no more lines, unless they are broken by hand. */
const shortest = 300;

/** Folds the message that it stands in, if that may be long. */
export const Fold = ({ text }: { text: string }) =>
  text.length > shortest || text.split('\n').length > 12 ? <LongText /> : null;
