import { encode } from 'uqr';

/** Light modules around the code, without which no camera finds it. */
const quietZone = 4;

/** Drawn as one path: black on white in either theme, since some cameras read nothing else. */
export function QrCode({ label, text }: { label: string; text: string }) {
  const { data, size } = encode(text, { ecc: 'L', border: 0 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  const side = size + 2 * quietZone;
  return (
    <svg
      class="qr-code"
      role="img"
      aria-label={label}
      viewBox={`${-quietZone} ${-quietZone} ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
