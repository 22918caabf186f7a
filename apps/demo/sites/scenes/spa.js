// A router as small as can be: what it does on every page is what a framework's effect does.
const { parleyKey: key } = document.getElementById('loader').dataset;
globalThis.parley ??= (...call) => (parley.q ??= []).push(call);

const titles = { workshop: 'The workshop', about: 'About us' };
function render() {
  const page = new URLSearchParams(location.search).get('page') ?? 'about';
  document.getElementById('page').textContent = titles[page];
  if (page === 'workshop') parley('init', { key, name: 'Chat with Fern', history: true });
  else if (globalThis.parley.version) parley('destroy');
}
document.querySelector('nav').addEventListener('click', (event) => {
  const link = event.target.closest('a');
  if (!link) return;
  event.preventDefault();
  history.pushState(null, '', link.href);
  render();
});
addEventListener('popstate', render);
render();
