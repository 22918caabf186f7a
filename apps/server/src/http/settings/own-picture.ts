import { randomBytes } from 'node:crypto';
import { memberPicturePrefix } from '../../events/file-addresses.ts';
import { notFound } from '../../settings/settings-error.ts';
import type { SettingsStore } from '../../store/settings-store.ts';
import type { Handlers } from '../handlers.ts';

/** What visitors see beside what a member writes, as the member decides. */
export function ownPictureHandlers({
  memberPictures,
}: Pick<SettingsStore, 'memberPictures'>): Handlers<'readOwnPicture' | 'changeOwnPicture'> {
  return {
    async readOwnPicture({ response, principal }) {
      const found = await memberPictures.ofMember(principal.id);
      response.json({ picture: found?.picture ?? null });
    },

    async changeOwnPicture({ response, principal, body: { picture } }) {
      const id = memberPicturePrefix + randomBytes(24).toString('base64url');
      if (picture === null) await memberPictures.remove(principal.id);
      else if (!(await memberPictures.save(principal.id, { id, picture }))) throw notFound();
      response.status(204).end();
    },
  };
}
