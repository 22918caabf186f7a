import type { Labels } from './labels.ts';

const de: Partial<Labels> = {};
export default de;
