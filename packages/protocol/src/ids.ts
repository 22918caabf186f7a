export const eventIdPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/;

/** A key as it is written: prefix, 32 random base62 characters and 6 of checksum, which the pattern does not check. */
export const keyPattern = /^(?:sk|pk)_live_[0-9A-Za-z]{38}$/;
