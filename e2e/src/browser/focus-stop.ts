/** Where the focus is, and how it is shown there. */
export interface FocusStop {
  /** Of the controls, the one that has it, -1: another one; null: nothing has it. */
  readonly index: number | null;
  /** What is wrong; null: nothing. */
  readonly problem: string | null;
}

/** Runs in the page. */
export function focusStop(controls: readonly Element[]): FocusStop {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (element === null || element === document.body) return { index: null, problem: 'nothing has it' };
  const name = element.outerHTML.slice(0, 120);
  const isDrawn = (style: CSSStyleDeclaration) =>
    (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none';
  // Some show it on what is around them.
  const around = [element, element.parentElement, element.parentElement?.parentElement];
  // The button of a date's picker is the browser's own, and so is what it is shown by.
  const isWithin = element instanceof HTMLInputElement && !element.matches(':focus');
  const shown = isWithin ? element : around.find((each) => each && isDrawn(getComputedStyle(each)));
  const problemOf = (drawn: Element): string | null => {
    const box = drawn.getBoundingClientRect();
    const left = Math.max(box.left, 0);
    const right = Math.min(box.right, innerWidth);
    const top = Math.max(box.top, 0);
    const bottom = Math.min(box.bottom, innerHeight);
    if (left >= right || top >= bottom) return `out of view: ${name}`;
    const root = drawn.getRootNode() as Document | ShadowRoot;
    const isSeenAt = (x: number, y: number) => {
      const found = root.elementFromPoint(left + (right - left) * x, top + (bottom - top) * y);
      return found !== null && (drawn.contains(found) || found.contains(drawn));
    };
    // A part of what is large may lie behind what sticks to an edge.
    const isSeen = [0.5, 0.05, 0.95].some((x) => [0.5, 0.1, 0.9].some((y) => isSeenAt(x, y)));
    return isSeen ? null : `covered: ${name}`;
  };
  return {
    index: controls.indexOf(element),
    problem: shown ? problemOf(shown) : `not shown on ${name}`,
  };
}
