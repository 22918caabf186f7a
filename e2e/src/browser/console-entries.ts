import type { Page } from '@playwright/test';

/** What every control of a screen holds, in its order, by the name that it has for whoever reads the screen. */
export type Entries = readonly (readonly [name: string, value: string])[];

/**
 * Enters something into every control of a screen that keeps what it is given, and says what they hold then. Passwords and
 * files no page may keep; `not` are those that do something at once, or hold a secret, by the beginning of their names.
 */
export const enterAll = (page: Page, not: readonly string[]): Promise<Entries> =>
  page.evaluate(visitControls, { not, isEntering: true });

export const entriesOf = (page: Page, not: readonly string[]): Promise<Entries> =>
  page.evaluate(visitControls, { not, isEntering: false });

interface Visit {
  readonly not: readonly string[];
  readonly isEntering: boolean;
}

/** Runs in the page. */
async function visitControls({ not, isEntering }: Visit): Promise<Entries> {
  type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
  const nameOf = (control: Control) =>
    control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent?.trim() ?? control.name;
  const controls = () =>
    [...document.querySelectorAll<Control>('input, textarea, select')].filter(
      (control) =>
        !control.matches(':disabled, [readonly], [type=password], [type=file], [type=hidden]') &&
        control.checkVisibility() &&
        // The organisation stands above every screen.
        control.closest('main, dialog') !== null &&
        !not.some((name) => nameOf(control).startsWith(name)),
    );
  const isTicked = (control: Control): control is HTMLInputElement =>
    control.matches('[type=checkbox], [type=radio]');
  const other = (control: Control, place: number): string => {
    if (control instanceof HTMLSelectElement)
      return (
        [...control.options].findLast(({ value, disabled }) => !disabled && value !== control.value)?.value ??
        control.value
      );
    const byType: Record<string, string> = {
      color: '#123456',
      date: '2026-02-03',
      number: '7',
      email: 'kept@example.com',
      url: 'https://kept.example',
    };
    return byType[control.type] ?? (control.inputMode === 'numeric' ? '7' : `Kept ${place}`);
  };
  // What is entered in one may show, hide or fill in others.
  for (let place = 0; isEntering && place < controls().length; place += 1) {
    const control = controls()[place]!;
    if (isTicked(control)) control.click();
    else {
      control.value = other(control, place);
      for (const type of ['input', 'change']) control.dispatchEvent(new Event(type, { bubbles: true }));
    }
    await new Promise(requestAnimationFrame);
  }
  return controls().map((control) => [
    nameOf(control),
    isTicked(control) ? String(control.checked) : control.value,
  ]);
}
