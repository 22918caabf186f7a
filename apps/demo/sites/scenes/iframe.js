// The page's half of the channel, as `connectFrame` of the package has it.
const frame = document.getElementById('chat');
const toggle = document.getElementById('toggle');
const unread = document.getElementById('unread');
const { origin } = new URL(frame.src);
let port;

addEventListener('message', ({ source, origin: from, data }) => {
  if (source !== frame.contentWindow || from !== origin || data !== 'parley:hello') return;
  const channel = new MessageChannel();
  port = channel.port1;
  port.onmessage = ({ data: message }) => {
    if (message.type === 'unread') unread.textContent = message.count > 0 ? `${message.count} unread` : '';
    if (message.type === 'size') frame.dataset.height = message.height;
    if (message.type === 'close') show(false);
    if (message.type === 'ready') toggle.dataset.ready = '';
  };
  frame.contentWindow.postMessage('parley:connect', origin, [channel.port2]);
});

function show(visible) {
  frame.hidden = !visible;
  port?.postMessage({ type: visible ? 'open' : 'close' });
  if (!visible) toggle.focus();
}
toggle.addEventListener('click', () => show(frame.hidden));
