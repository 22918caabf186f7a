/** A member's name as it is looked for: how its letters are written makes no second member. */
export const signInName = (name: string): string => name.normalize('NFKC').trim().toLowerCase();
