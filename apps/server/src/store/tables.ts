/** The tables that the settings queries touch, as rows; their columns are the records' fields in snake case. */
export type SettingsTable =
  | 'tenants'
  | 'agents'
  | 'keys'
  | 'tools'
  | 'sources'
  | 'connections'
  | 'sign_ins'
  | 'webhooks'
  | 'members'
  | 'invitations'
  | 'console_sessions'
  | 'passkeys';

export type Tables = Record<
  | SettingsTable
  | 'sessions'
  | 'events'
  | 'feedback'
  | 'open_questions'
  | 'unanswered_questions'
  | 'threads'
  | 'thread_notes'
  | 'thread_delegates'
  | 'audit_entries'
  | 'agent_revisions'
  | 'agent_drafts'
  | 'context_windows'
  | 'secret_check'
  | 'tenant_revisions'
  | 'source_claims'
  | 'appointments'
  | 'contacts',
  Record<string, unknown>
>;
