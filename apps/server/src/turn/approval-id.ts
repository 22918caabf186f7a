import { randomBytes } from 'node:crypto';

/** Of what is to be approved: whoever answers names it, so that it stands for what they were shown. */
export const newApprovalId = (): string => `apr_${randomBytes(16).toString('hex')}`;
