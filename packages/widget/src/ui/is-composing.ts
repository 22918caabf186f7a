/** Whether a key goes to a composition. Safari ends one before it tells its last key, by the key code alone. */
export const isComposing = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;
