/** The header that says who the visitor is. */
export const visitorTokenHeader = (platform: string) => `x-${platform}-visitor-token`;
