import '../sites/base.css';
import '../sites/scenes/scenes.css';
import { connectFrame } from '@parley/widget';

const frame = document.querySelector('iframe')!;
const toggle = document.getElementById('toggle')!;
const unread = document.getElementById('unread')!;

const link = connectFrame(frame, {
  ready: () => (toggle.dataset.ready = ''),
  size: (height) => (frame.dataset.height = String(height)),
  unread: (count) => (unread.textContent = count > 0 ? `${count} unread` : ''),
  close: () => show(false),
});

function show(visible: boolean) {
  frame.hidden = !visible;
  if (visible) return link.open();
  link.close();
  toggle.focus();
}
toggle.addEventListener('click', () => show(Boolean(frame.hidden)));
