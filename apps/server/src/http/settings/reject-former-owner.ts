import type { MemberPrincipal } from '../../auth/principal.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import { ProblemError } from '../problem.ts';

/** Throws where somebody has taken the role from whoever asks at the same moment. */
export async function rejectFormerOwner(
  members: Pick<SettingsStore['members'], 'get'>,
  { id }: MemberPrincipal,
): Promise<void> {
  if ((await members.get(id))?.role === 'owner') return;
  throw new ProblemError('FORBIDDEN', 'Your role does not include this any more.');
}
