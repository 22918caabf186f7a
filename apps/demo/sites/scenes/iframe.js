// The page's half of the channel, as `connectFrame` of the package has it.
const frame = document.getElementById('chat');
const toggle = document.getElementById('toggle');
const unread = document.getElementById('unread');
const { origin } = new URL(frame.src);
let port;

addEventListener('message', ({ source, origin: from, data }) => {
  if (source !== frame.contentWindow || from !== origin || data !== 'parley:hello') return;
  const channel = new MessageChannel();
  channel.port1.onmessage = ({ data: message }) => {
    if (message.type === 'unread') unread.textContent = message.count > 0 ? `${message.count} unread` : '';
    if (message.type === 'size') frame.dataset.height = message.height;
    if (message.type === 'close') show(false);
    if (message.type === 'ready') {
      port = channel.port1;
      toggle.dataset.ready = '';
    }
  };
  frame.contentWindow.postMessage('parley:connect', origin, [channel.port2]);
});
// The frame may have been there first.
frame.contentWindow.postMessage('parley:hello', '*');

function show(visible) {
  frame.hidden = !visible;
  port?.postMessage({ type: visible ? 'open' : 'close' });
  if (!visible) toggle.focus();
}
toggle.addEventListener('click', () => show(frame.hidden));
