import { createHash, randomBytes } from 'node:crypto';
import { memberPicturePrefix } from '../../events/file-addresses.ts';
import { pictureQuotas } from '../../limit/picture-quotas.ts';
import { changeRecord } from '../../settings/audit.ts';
import { rejectLargePicture } from '../../settings/reject-large-picture.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { LimitStore } from '../../store/limit-store.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';
import { countQuotas } from './count-quotas.ts';

interface OwnPictureDeps extends Pick<SettingsStore, 'memberPictures'> {
  readonly limits: Pick<LimitStore, 'countQuotas'>;
}

/** What visitors see beside what a member writes, as the member decides. */
export function ownPictureHandlers({
  memberPictures,
  limits,
}: OwnPictureDeps): Handlers<'readOwnPicture' | 'changeOwnPicture'> {
  return {
    async readOwnPicture({ response, principal }) {
      const found = await memberPictures.ofMember(principal.id);
      response.json({ picture: found?.picture ?? null });
    },

    async changeOwnPicture({ response, principal, body: { picture } }) {
      if (picture !== null) rejectLargePicture(['picture'], picture);
      await countQuotas(limits, pictureQuotas(principal.id));
      const known = await memberPictures.ofMember(principal.id);
      const change = changeRecord(principal, {
        tenantId: principal.tenantId,
        action: 'updated',
        kind: 'member',
        subject: { id: principal.id, name: principal.name },
        before: { picture: known && digestOf(known.picture) },
        after: { picture: picture && digestOf(picture) },
      });
      const id = memberPicturePrefix + randomBytes(24).toString('base64url');
      if (picture === null) await memberPictures.remove(principal.id, change);
      else if (!(await memberPictures.save(principal.id, { id, picture }, change))) throw notFound();
      response.status(204).end();
    },
  };
}

/** Tells pictures apart in the log of changes, which does not keep what a person looked like. */
const digestOf = (picture: string): string => createHash('sha256').update(picture).digest('hex').slice(0, 16);
