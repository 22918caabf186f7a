export const changeCount = (count: number): string => (count === 1 ? '1 change' : `${count} changes`);
