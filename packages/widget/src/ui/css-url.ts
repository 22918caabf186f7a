/** An address as CSS takes it. A drawing may be written in it as it is, quotes and lines included. */
export const cssUrl = (address: string): string =>
  `url("${address.replace(/["\\\n\r\f]/g, encodeURIComponent)}")`;
