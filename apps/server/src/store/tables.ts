/** The tables that the settings queries touch, as rows; their columns are the records' fields in snake case. */
export type SettingsTable =
  | 'tenants'
  | 'agents'
  | 'keys'
  | 'tools'
  | 'sources'
  | 'members'
  | 'invitations'
  | 'console_sessions';

export type Tables = Record<
  | SettingsTable
  | 'sessions'
  | 'events'
  | 'feedback'
  | 'open_questions'
  | 'audit_entries'
  | 'agent_revisions'
  | 'agent_drafts'
  | 'context_windows'
  | 'secret_check'
  | 'source_claims',
  Record<string, unknown>
>;
