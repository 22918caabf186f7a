/** Where in a number of RFC 8259, section 6, a scanner is. */
export type NumberState = 'minus' | 'zero' | 'integer' | 'point' | 'fraction' | 'e' | 'sign' | 'exponent';

const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39;
const isE = (byte: number) => byte === 0x65 || byte === 0x45;
const point = 0x2e;

/** Whether the number may end here. */
export function isWholeNumber(state: NumberState): boolean {
  return state === 'zero' || state === 'integer' || state === 'fraction' || state === 'exponent';
}

/** Null when the byte begins no number. */
export function firstOfNumber(byte: number): NumberState | null {
  if (byte === 0x2d) return 'minus';
  if (byte === 0x30) return 'zero';
  return isDigit(byte) ? 'integer' : null;
}

/** Null when the byte does not continue the number. */
export function nextOfNumber(state: NumberState, byte: number): NumberState | null {
  switch (state) {
    case 'minus':
      return byte === 0x2d ? null : firstOfNumber(byte);
    case 'zero':
      return afterInteger(byte);
    case 'integer':
      return isDigit(byte) ? 'integer' : afterInteger(byte);
    case 'point':
      return isDigit(byte) ? 'fraction' : null;
    case 'fraction':
      if (isDigit(byte)) return 'fraction';
      return isE(byte) ? 'e' : null;
    case 'e':
      if (byte === 0x2b || byte === 0x2d) return 'sign';
      return isDigit(byte) ? 'exponent' : null;
    case 'sign':
    case 'exponent':
      return isDigit(byte) ? 'exponent' : null;
  }
}

function afterInteger(byte: number): NumberState | null {
  if (byte === point) return 'point';
  return isE(byte) ? 'e' : null;
}
