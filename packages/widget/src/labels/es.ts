import type { Labels } from './labels.ts';

const es: Partial<Labels> = {};
export default es;
