/** As `reduce` of the items, which in pages with an old library (Prototype 1.6) is something else. */
export function fold<Item, Result>(
  items: readonly Item[],
  first: Result,
  add: (result: Result, item: Item) => Result,
): Result {
  let result = first;
  for (const item of items) result = add(result, item);
  return result;
}
