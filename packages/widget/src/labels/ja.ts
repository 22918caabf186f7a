import type { Labels } from './labels.ts';

const ja: Partial<Labels> = {};
export default ja;
