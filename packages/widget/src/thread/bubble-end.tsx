import { Fold } from './fold.tsx';
import { Time } from './time.tsx';

/** What stands after the words of a visitor's message. */
export const BubbleEnd = ({ at, text }: { at: number | string; text: string }) => (
  <>
    <Time at={at} />
    <Fold text={text} />
  </>
);
