import type { Labels } from './labels.ts';

const pt: Partial<Labels> = {};
export default pt;
