/** An id for what is called so: letters and digits of the name, and a number where that is taken. */
export function newKey(name: string, taken: readonly { readonly id: string }[]): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\da-z]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 32);
  const base = plain || 'entry';
  const isTaken = (id: string) => taken.some((each) => each.id === id);
  if (!isTaken(base)) return base;
  let number = 2;
  while (isTaken(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}
