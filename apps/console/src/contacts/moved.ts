/** A list in which one entry stands a place further down, or up; where it is gone, as it was. */
export function moved<Entry extends { readonly id: string }>(
  entries: readonly Entry[],
  id: string,
  by: 1 | -1,
): Entry[] {
  const place = entries.findIndex((each) => each.id === id);
  const next = [...entries];
  const taken = place === -1 ? [] : next.splice(place, 1);
  next.splice(Math.max(0, place + by), 0, ...taken);
  return next;
}
