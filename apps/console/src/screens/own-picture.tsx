import type { MemberPictureView } from '@parley/protocol/settings/member';
import { useEffect, useState } from 'preact/hooks';
import { sentenceOf } from '../api/api-error.ts';
import { call, revalidation } from '../api/call.ts';
import { AvatarField } from '../channel/avatar-field.tsx';
import { announce } from '../ui/announcement.tsx';
import { Loading, Problem } from '../ui/notice.tsx';

/** What visitors see beside what the member writes. A change is stored at once. */
export function OwnPicture() {
  const [picture, setPicture] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  // Also when somebody is back whose session had ended, or the service is.
  const round = revalidation.value;
  useEffect(() => {
    if (round === null) return;
    call<MemberPictureView>('GET', '/session/picture').then(
      (stored) => {
        setPicture(stored.picture ?? '');
        setProblem(null);
      },
      (error: unknown) => setProblem(sentenceOf(error)),
    );
  }, [round]);
  const change = async (to: string) => {
    try {
      await call('POST', '/session/picture', { picture: to || null });
      setPicture(to);
      setProblem(null);
      announce(to === '' ? 'Visitors see your initials now.' : 'Visitors see this picture now.');
    } catch (error) {
      setProblem(sentenceOf(error));
    }
  };
  return (
    <section class="card">
      <h2>Your picture</h2>
      {problem && <Problem>{problem}</Problem>}
      {picture === null && !problem && <Loading />}
      {picture !== null && (
        <AvatarField
          value={picture}
          hint="Visitors see it beside what you write to them. Empty: your initials."
          error={undefined}
          onChange={(to) => void change(to)}
        />
      )}
    </section>
  );
}
