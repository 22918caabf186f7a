/**
 * What scrolls up and down by so little that nobody would, and shows a bar for it where a mouse is. Playwright hides such
 * bars. Runs in the page.
 */
export const barelyScrolled = (): string[] =>
  [...document.querySelectorAll('body, body *')]
    .filter((element) => {
      const beyond = element.scrollHeight - element.clientHeight;
      return beyond > 0 && beyond < 4 && /auto|scroll/.test(getComputedStyle(element).overflowY);
    })
    .map((element) => `${element.tagName}.${element.className}`);
