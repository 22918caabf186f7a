import { loseField, noticeLostField } from './lost-field.ts';

const focusable =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled, [type="hidden"])';
const places = 'section, form, article, fieldset, dialog, main';

/**
 * Keeps the focus where the keyboard can go on: what has it may be removed by what it does, as an item of a list is
 * that was deleted, or be disabled while that is done, and then browsers leave it nowhere.
 */
export function keepFocus(): void {
  let last: Element | null = null;
  /** What was disabled with the focus, and what has it meanwhile. */
  let waiting: { readonly element: Element; readonly holder: Element } | null = null;
  /** By dialog, what had the focus before it. */
  const openers = new WeakMap<Element, Element>();

  function focus(element: Element): void {
    if (!(element instanceof HTMLElement)) return;
    if (!element.matches(focusable) && !element.hasAttribute('tabindex')) {
      element.tabIndex = -1;
      element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
    }
    element.focus({ preventScroll: true });
  }

  function hold(element: Element): void {
    const holder = element.parentElement;
    if (holder === null) return;
    waiting = { element, holder };
    focus(holder);
  }

  /** What stands next where something was removed: an item like it, or the heading of where it stood. */
  function nextTo(
    removed: Element,
    { target, nextSibling, previousSibling }: MutationRecord,
  ): Element | null {
    const opener = removed.matches('dialog') ? openers.get(removed) : undefined;
    if (opener?.isConnected) return opener;
    for (const sibling of [nextSibling, previousSibling]) {
      const alike = sibling instanceof Element && sibling.isConnected && sibling.matches(removed.localName);
      const control = alike ? sibling.querySelector(focusable) : null;
      if (control) return control;
    }
    const near = target.isConnected && target instanceof Element ? target.closest(places) : null;
    const place = near ?? document.querySelector('main');
    return place?.querySelector('h1, h2, h3') ?? place;
  }

  function look(records: readonly MutationRecord[]): void {
    moveOn(records);
    // A dialog that stays in the page is opened from somewhere else the next time.
    for (const { target } of records)
      if (target instanceof HTMLDialogElement && !target.open) openers.delete(target);
  }

  function moveOn(records: readonly MutationRecord[]): void {
    const { activeElement } = document;
    if (waiting !== null && activeElement === waiting.holder && waiting.element.matches(focusable)) {
      focus(waiting.element);
      return;
    }
    // What was disabled or hidden just now has it until the next frame.
    const had = activeElement === null || activeElement === document.body ? last : activeElement;
    if (had === null) return;
    if (had.isConnected) goOnFrom(had);
    else
      for (const record of records)
        for (const removed of record.removedNodes)
          if (removed instanceof Element && removed.contains(had)) {
            if (had.matches('input, textarea')) loseField(performance.now());
            const next = nextTo(removed, record);
            if (next) goOnFrom(next);
            return;
          }
  }

  function goOnFrom(element: Element): void {
    if (!element.checkVisibility()) {
      const closed = element.closest('details:not([open]), dialog:not([open])');
      const opener = closed === null ? undefined : openers.get(closed);
      const before = opener?.isConnected ? opener : closed?.querySelector('summary');
      const next = before ?? document.querySelector('main h1');
      if (next) focus(next);
    } else if (element.matches(':disabled')) hold(element);
    else if (element !== document.activeElement) focus(element);
  }

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    const dialog = target.closest('dialog');
    if (dialog && last && !dialog.contains(last) && !openers.has(dialog)) openers.set(dialog, last);
    last = target;
  });
  // Who points elsewhere leaves it on purpose, and so does what gives it up and is still there.
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null || !(target instanceof Element)) return;
    queueMicrotask(() => {
      const isThere = target.isConnected && target.checkVisibility() && !target.matches(':disabled');
      if (isThere && last === target && document.activeElement === document.body) last = null;
    });
  });
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      noticeLostField();
      if (!(target instanceof Node && last?.contains(target))) last = null;
    },
    true,
  );
  new MutationObserver(look).observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['disabled', 'open', 'hidden'],
  });
}
