/** What a visitor looks for: an element by its role and its accessible name, wherever shadow roots have it. */
export interface Target {
  role: 'button' | 'checkbox' | 'combobox' | 'dialog' | 'field' | 'group' | 'log' | 'radio' | 'textbox';
  name?: string;
}

/** Runs in the page: everything that it needs stands in it. */
export function findInPage({ role, name }: Target): HTMLElement | undefined {
  const selectors: Record<Target['role'], string> = {
    button: 'button, summary, [role=button]',
    checkbox: 'input[type=checkbox]',
    combobox: 'select',
    dialog: '[role=dialog]',
    field: 'input',
    group: 'fieldset, [role=group]',
    log: '[role=log]',
    radio: 'input[type=radio]',
    textbox: 'textarea, input:not([type]), input[type=text], input[type=email]',
  };
  const within = (root: Document | ShadowRoot): HTMLElement[] =>
    [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => [
      ...(element.matches(selectors[role]) ? [element] : []),
      ...(element.shadowRoot ? within(element.shadowRoot) : []),
    ]);
  const wordsOf = (text: string | null | undefined) => text?.replaceAll(/\s+/g, ' ').trim();
  const nameOf = (element: HTMLElement) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
    const root = element.getRootNode() as Document | ShadowRoot;
    const named =
      ids.map((id) => root.getElementById(id)?.textContent).join(' ') ||
      element.ariaLabel ||
      (element as HTMLInputElement).labels?.[0]?.textContent ||
      (element.matches('fieldset') ? element.querySelector('legend')?.textContent : '') ||
      element.textContent;
    return wordsOf(named);
  };
  return within(document).find(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      (name === undefined || nameOf(element) === name),
  );
}

/** Runs in the page: whether a pointer would hit the element now, which is scrolled to, and stands still. */
export async function canBeHit(element: HTMLElement | undefined): Promise<boolean> {
  if (!element || (element as HTMLButtonElement).disabled) return false;
  element.scrollIntoView({ block: 'nearest' });
  const before = element.getBoundingClientRect();
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const { x, y, width, height } = element.getBoundingClientRect();
  if (before.x !== x || before.y !== y || width === 0 || height === 0) return false;
  let root: Document | ShadowRoot = document;
  for (;;) {
    const hit: Element | null = root.elementFromPoint(x + width / 2, y + height / 2);
    if (!hit) return false;
    if (element.contains(hit)) return true;
    if (!hit.shadowRoot) return false;
    root = hit.shadowRoot;
  }
}
