/** A name of a program at the end of a text: a lone small letter, with an underscore or a dollar in it, or a usual one. */
const name =
  /(?:^|[^\p{L}\p{N}])(?:[a-z]|[\w.]*(?:argv|args|(?:[Aa]rr|[Vv]ec|[Bb]uf)s?|[Aa]rrays?|[Tt]uple|[Mm]atrix|[Bb]uffer))$|[a-z]_\w+$|\$[a-z]\w*$/u;

/** Whether brackets behind this text index what it names: `argv[2]` says nothing about a source. */
export const isArrayIndex = (before: string): boolean => name.test(before);
