/** The tables that the settings queries touch, as rows; their columns are the records' fields in snake case. */
export type SettingsTable = 'tenants' | 'agents' | 'keys' | 'tools' | 'sources';

export type Tables = Record<
  SettingsTable | 'sessions' | 'events' | 'feedback' | 'context_windows' | 'secret_check',
  Record<string, unknown>
>;
