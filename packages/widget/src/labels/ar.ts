import type { Labels } from './labels.ts';

const ar: Partial<Labels> = {};
export default ar;
