/** Days of limits, of keys that are kept and of retention are 24 hours. */
export const dayMs = 86_400_000;
