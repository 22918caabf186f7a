import { drawIcon } from './draw-icon.tsx';

export const shapes = {
  close: 'M18 6 6 18M6 6l12 12',
  compose: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M7 7h10v10H7z',
  alert: 'M12 8v5M12 16.5h.01M12 3 2 20h20z',
} as const;

/** What the panel shows from the first moment. */
export const Icon = ({ name }: { name: keyof typeof shapes }) => drawIcon(name, shapes[name]);
