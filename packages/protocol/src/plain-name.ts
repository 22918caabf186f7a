/** A name without what would reorder it: `fdp.exe` must not pass for `exe.pdf`. */
export const plainName = (name: string): string =>
  name.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
