/**
 * What can be done with a session as a whole. `clear`, `compact` and `reset` have the shape of `sessionPatterns`'
 * `session`: a router must try them first.
 */
export const controlPatterns = (platform: string) => {
  const base = `/${platform}/v1/session`;
  return {
    clear: `${base}/clear`,
    compact: `${base}/compact`,
    reset: `${base}/reset`,
    end: `${base}/:id/end`,
  };
};
