/** The fields that are other ones than before: what was not changed here may have been changed elsewhere meanwhile. */
export function changedIn<Fields extends object>(before: object, after: Fields): Partial<Fields> {
  const was = new Map(Object.entries(before));
  const changes = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was.get(name)),
  );
  return Object.fromEntries(changes) as Partial<Fields>;
}
