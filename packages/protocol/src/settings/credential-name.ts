const ofAnything =
  /(?:api|access|private)[-_]?key|token|secret|passw|credential|authori[sz]ation|(?:^|[-_.])auth(?:$|[-_.])/i;
/** In a query alone: elsewhere it is the name of anything. */
const ofQuery = /^(?:key|sig|signature)$/i;

/** Whether what has this name in a body or a header is a credential. */
export const isCredentialName = (name: string): boolean => ofAnything.test(name);

export const isQueryCredentialName = (name: string): boolean => isCredentialName(name) || ofQuery.test(name);
