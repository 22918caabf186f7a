import type { Labels } from './labels.ts';

const he: Partial<Labels> = {};
export default he;
