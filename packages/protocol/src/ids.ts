export const eventIdPattern = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/;
