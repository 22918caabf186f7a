import type { Labels } from './labels.ts';

const fr: Partial<Labels> = {};
export default fr;
