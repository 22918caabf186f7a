/** What says that visitors talk to an AI. */
const disclosures = new Set(['assistant', 'honesty']);

/**
 * The words of a language with those that a page has chosen in their place. A page may say in its own words that its
 * visitors talk to an AI, and has to say it (Regulation (EU) 2024/1689, Article 50): words that cannot be seen are none.
 */
export const withOwnLabels = (
  spoken: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  ...spoken,
  ...Object.fromEntries(
    Object.entries(own).filter(
      ([name, text]) => !disclosures.has(name) || /[^\s\p{C}\p{DI}\u2800]/u.test(text),
    ),
  ),
});
