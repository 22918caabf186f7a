import { isForLostField } from '../ui/lost-field.ts';

/** The key that is pressed, where it is meant for the room; null where it is for what is written in, or for the browser. */
export function roomKey(event: KeyboardEvent): string | null {
  const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey) return null;
  const isTyping =
    target instanceof Element &&
    target.closest('input, textarea, select, dialog, [contenteditable]') !== null;
  if (isTyping || (key.length === 1 && isForLostField(event.timeStamp))) return null;
  const isCapital = key !== key.toLowerCase();
  const isLetter = isCapital || key !== key.toUpperCase();
  // Caps Lock turns a letter into another one, which may do what nobody takes back.
  return isLetter && (isCapital !== shiftKey || event.getModifierState('CapsLock')) ? null : key;
}
