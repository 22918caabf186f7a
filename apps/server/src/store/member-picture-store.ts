import type { AuditRecord } from './audit-store.ts';

/** What visitors see beside what a member says: one for a member, and gone with them. */
export interface MemberPictureStore {
  /**
   * Replaces the one that the member has, which keeps its id: what was said before shows the one of today. The id is taken
   * where there is none. False when there is no such member.
   */
  save(memberId: string, picture: MemberPicture, change?: AuditRecord): Promise<boolean>;
  remove(memberId: string, change?: AuditRecord): Promise<void>;
  ofMember(memberId: string): Promise<MemberPicture | null>;
  /** As a `data:` address. */
  get(id: string): Promise<string | null>;
}

export interface MemberPicture {
  /** Unguessable: whoever knows it may have the picture. It does not tell whose it is. */
  readonly id: string;
  /** As a `data:` address. */
  readonly picture: string;
}
