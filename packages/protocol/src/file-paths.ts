/** `upload` has the shape of `sessionPatterns`' `session`: a router must try it first. */
export const filePatterns = (platform: string) => ({
  upload: `/${platform}/v1/session/file`,
  file: `/${platform}/v1/file/:id`,
});

/** Carries the name of an uploaded file: UTF-8, percent-encoded as `encodeURIComponent` does. */
export const filenameHeader = (platform: string) => `x-${platform}-filename`;
