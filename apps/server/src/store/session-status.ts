export type SessionStatus = 'open' | 'completed' | 'failed' | 'reset';
