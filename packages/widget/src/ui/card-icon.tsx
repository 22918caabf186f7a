import { renderIcon } from './render-icon.tsx';
import { shapes as panelShapes } from './icon.tsx';

const shapes = {
  ...panelShapes,
  compose: 'M12 5v14M5 12h14',
  alert: 'M12 8v5M12 16.5h.01M12 3 2 20h20z',
  stop: 'M7 7h10v10H7z',
  down: 'M12 5v14M6 13l6 6 6-6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9.5h.01',
  chevron: 'm9 6 6 6-6 6',
  tool: 'M14.5 6.5a4 4 0 0 0-5.2 5.2L4 17v3h3l5.3-5.3a4 4 0 0 0 5.2-5.2L15 12l-3-3z',
  clock: 'M12 7v5l3 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  shield: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z',
  again: 'M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  attach: 'm20 11-8.6 8.6a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7l-8.5 8.5a1.7 1.7 0 0 1-2.4-2.4L14 7.6',
  file: 'M14 3H6v18h12V7zM14 3v4h4',
  blocked: 'M5.6 5.6l12.8 12.8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
} as const;

export type CardIconName = keyof typeof shapes;

export const CardIcon = ({ name }: { name: CardIconName }) => renderIcon(name, shapes[name]);
