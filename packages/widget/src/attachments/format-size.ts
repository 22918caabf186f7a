const units = ['byte', 'kilobyte', 'megabyte'];

/** As file managers count: a kilobyte has 1024 bytes. */
export function formatSize(bytes: number, locale: string): string {
  const power = bytes < 1_024 ? 0 : bytes < 1_024 * 1_023.5 ? 1 : 2;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: units[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 2 ? 1 : 0,
  }).format(bytes / 1_024 ** power);
}
