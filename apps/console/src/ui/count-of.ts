import { formatNumber } from './format.ts';

/** `1 turn`, `12,000 turns`. */
export const countOf = (count: number, thing: string): string =>
  `${formatNumber(count)} ${count === 1 ? thing : `${thing}s`}`;
