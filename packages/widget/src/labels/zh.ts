import type { Labels } from './labels.ts';

const zh: Partial<Labels> = {};
export default zh;
