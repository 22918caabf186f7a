import { maxMediaTypeLength } from './bounds.ts';

const name = '[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*';
const token = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
const quoted = String.raw`"(?:[^"\\\x00-\x1f\x7f]|\\[\x20-\x7e])*"`;
const pattern = new RegExp(`^${name}/${name}(?:[ \\t]*;[ \\t]*${token}=(?:${token}|${quoted}))*$`);

/** Why a media type is refused; null when it is `type/subtype` with optional parameters (RFC 6838, RFC 9110). */
export function mediaTypeFault(mediaType: string): 'length' | 'form' | null {
  if (mediaType.length > maxMediaTypeLength) return 'length';
  return pattern.test(mediaType) ? null : 'form';
}
