import type { KeyKind } from './settings.ts';

/** 22 base62 characters after the prefix: 131 random bits. */
export const idPrefixes = {
  tenant: 'ten_',
  agent: 'agt_',
  key: 'key_',
  tool: 'tool_',
  session: 'ses_',
} as const;

export type IdKind = keyof typeof idPrefixes;

export const base62Alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const idRandomLength = 22;
export const idPattern = (kind: IdKind): RegExp =>
  new RegExp(`^${idPrefixes[kind]}[0-9A-Za-z]{${idRandomLength}}$`);

export const eventIdPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/;

export const keyPrefixes = { secret: 'sk_live_', publishable: 'pk_live_' } as const satisfies Record<
  KeyKind,
  string
>;
export const keyRandomLength = 32;
/** The CRC-32 of prefix and random part, in base62, padded with `0`. */
export const keyChecksumLength = 6;
/** A key as it is written; whether its checksum holds is not part of the pattern. */
export const keyPattern = /^(sk|pk)_live_[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;
