/** What a visitor may do with a session besides talking. */
export const visitorPatterns = (platform: string) => {
  const base = `/${platform}/v1/session/:id`;
  return {
    identify: `${base}/identify`,
    feedback: `${base}/feedback`,
    transcript: `${base}/transcript`,
    transfer: `${base}/transfer`,
    readyMail: `${base}/ready-mail`,
    /** Has the shape of a session's path: a router must try it first. */
    claim: `/${platform}/v1/session/transfer`,
  };
};
