const svg = 'http://www.w3.org/2000/svg';

/** The round button in the corner. */
export function drawLauncher(): HTMLButtonElement {
  const button = document.createElement('button');
  button.className = 'launcher';
  button.ariaExpanded = 'false';
  const icon = document.createElementNS(svg, 'svg');
  const mark = document.createElementNS(svg, 'path');
  icon.setAttribute('viewBox', '0 0 24 24');
  mark.setAttribute('d', 'M21 11.5a8.4 8.4 0 0 1-12.2 7.5L3 21l2-5.8A8.4 8.4 0 1 1 21 11.5Z');
  icon.append(mark);
  button.append(icon);
  return button;
}
