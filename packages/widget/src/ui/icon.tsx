import { renderIcon } from './render-icon.tsx';

export const shapes = {
  close: 'M18 6 6 18M6 6l12 12',
  send: 'M12 19V5M6 11l6-6 6 6',
} as const;

/** What the panel shows from the first moment. */
export const Icon = ({ name }: { name: keyof typeof shapes }) => renderIcon(name, shapes[name]);
