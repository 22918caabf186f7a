import type { Page } from '@playwright/test';
import { focusStop } from './focus-stop.ts';

/** A page has fewer stops than this. */
const maxStops = 300;

/** Goes by Tab from the top of a page, or of the dialog in front of it, to its end; returns what is wrong on the way. */
export async function tabThrough(page: Page): Promise<string[]> {
  const controls = await page.evaluateHandle(controlsFromTop);
  const reached = new Set<number>();
  const wrong: string[] = [];
  for (let stops = 0; ; stops++) {
    if (stops === maxStops) throw new Error(`${maxStops} stops do not lead to the end.`);
    await page.keyboard.press('Tab');
    const { index, problem } = await controls.evaluate(focusStop);
    // Behind the last one the browser has it, or the first of all once more.
    if (index === 0 || index === null) break;
    if (problem !== null) wrong.push(problem);
    reached.add(index);
  }
  wrong.push(...(await controls.evaluate(missedControls, [...reached])));
  await controls.dispose();
  return wrong;
}

/** What has to be reached; the first one was put before all others to begin at. Runs in the page. */
function controlsFromTop(): HTMLElement[] {
  const place = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const top = document.createElement('span');
  top.tabIndex = 0;
  top.style.position = 'fixed';
  const controls = [top];
  const collect = (root: ParentNode) => {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      const isControl = element.matches(
        ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not(:disabled)',
      );
      const isVisible = element.checkVisibility({ visibilityProperty: true });
      if (isControl && isVisible && !element.closest('[inert]')) controls.push(element);
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  };
  collect(place);
  place.prepend(top);
  top.focus();
  return controls;
}

/** Those that are there still and were not reached. Runs in the page. */
function missedControls(controls: readonly HTMLElement[], reached: readonly number[]): string[] {
  const [top, ...others] = controls;
  top?.remove();
  const isReached = new Set(reached.map((index) => controls[index]));
  const isRadio = (element: HTMLElement): element is HTMLInputElement =>
    element instanceof HTMLInputElement && element.type === 'radio';
  // Arrow keys lead from one member of such a group to the others.
  const groupOf = (element: HTMLElement): HTMLElement[] => {
    if (isRadio(element))
      return others.filter(
        (each) => isRadio(each) && each.name === element.name && each.form === element.form,
      );
    const group = element.closest('[role="radiogroup"], [role="tablist"]');
    return group ? others.filter((each) => group.contains(each)) : [element];
  };
  return others
    .filter((each) => each.isConnected && each.checkVisibility({ visibilityProperty: true }))
    .filter((each) => !groupOf(each).some((member) => isReached.has(member)))
    .map((each) => `not reached: ${each.outerHTML.slice(0, 120)}`);
}
