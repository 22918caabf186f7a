/** A member who has the inbox open. */
export interface PresentMember {
  readonly id: string;
  readonly name: string;
  /** What they look at; null: at no conversation. */
  readonly sessionId: string | null;
}

/** Who is there. One row for a member, who looks at one screen at a time: the last that was said counts. */
export interface PresenceStore {
  /**
   * The member is there for so long unless it is said again; at no conversation where it is none of the tenant's. Nothing
   * where there is no such member.
   */
  notePresence(
    memberId: string,
    at: { readonly tenantId: string; readonly sessionId: string | null; readonly ttlMs: number },
  ): Promise<void>;

  /** Who is there for the tenant, by name. */
  listPresent(tenantId: string, limit: number): Promise<readonly PresentMember[]>;

  /** Whether somebody is there who may answer visitors of the tenant; `unknown` where nobody ever was. */
  teamPresence(tenantId: string): Promise<'present' | 'away' | 'unknown'>;
}
