import type { WidgetOptions } from './widget-api.ts';

const svg = 'http://www.w3.org/2000/svg';

/** The round button in the corner. */
export function drawLauncher({ name = 'Chat', position = 'end' }: WidgetOptions): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'launcher';
  button.type = 'button';
  button.dataset.side = position;
  button.ariaLabel = name;
  button.ariaExpanded = 'false';
  button.ariaHasPopup = 'dialog';
  button.setAttribute('aria-controls', 'panel');
  button.append(
    drawMark('open-mark', 'M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3 21l2-5.8A8.4 8.4 0 1 1 21 11.5Z'),
    drawMark('close-mark', 'M6 9l6 6 6-6'),
  );
  return button;
}

function drawMark(mark: string, shape: string): SVGElement {
  const icon = document.createElementNS(svg, 'svg');
  const path = document.createElementNS(svg, 'path');
  icon.setAttribute('class', mark);
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  path.setAttribute('d', shape);
  icon.append(path);
  return icon;
}
