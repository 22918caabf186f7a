import type { ParleyErrorCode } from '@parley/client/error';
import type { LabelName } from '../i18n/labels.ts';

const shared: Partial<Record<ParleyErrorCode, LabelName>> = {
  AGENT_INACTIVE: 'unavailable',
  NO_AGENT: 'unavailable',
  UNAUTHORIZED: 'setup',
  ORIGIN_NOT_ALLOWED: 'setup',
};

/** What went wrong, in words for a visitor. */
export const errorText = (code: ParleyErrorCode, label: (name: LabelName) => string): string =>
  label(shared[code] ?? (code as LabelName)) || label('errorOther');
