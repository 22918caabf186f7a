// What makes the pages handier; each of them can be read without it.

function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

// What is on a page is listed beside it where there is room.
const here = document.querySelector('.here');
const beside = matchMedia('(min-width: 1240px)');
const showContents = () => here && (here.open = beside.matches);
beside.addEventListener('change', showContents);
showContents();

// Copies an example.
for (const caption of document.querySelectorAll('.example figcaption')) {
  const button = make('button', { type: 'button', textContent: 'Copy' });
  button.setAttribute('aria-label', `Copy ${caption.textContent}`);
  const code = caption.nextElementSibling;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
    } catch {
      // Not a secure page, or not allowed: it is selected instead.
      getSelection().selectAllChildren(code);
      button.textContent = 'Selected';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  });
  caption.append(button);
}

// Fills the reader's own values into the examples.
const kinds = {
  adminToken: 'Administration token',
  tenantId: 'Tenant, tenant_…',
  agentId: 'Agent, agent_…',
  publishableKey: 'Publishable key, pk_live_…',
  secretKey: 'Secret key, sk_live_…',
};
/** What the console can read out. */
const fromConsoleKinds = ['publishableKey', 'agentId', 'tenantId'];
/** Of these a page keeps nothing when it is left. */
const forgotten = ['adminToken'];
const places = [...document.querySelectorAll('[data-fill]')];
const wanted = Object.keys(kinds).filter((kind) => places.some(({ dataset }) => dataset.fill === kind));

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem('parley-docs') ?? '{}');
  } catch {
    return {};
  }
}

const values = kept();
const inputs = new Map();

function fillIn() {
  for (const place of places) {
    place.dataset.empty ??= place.textContent;
    const value = values[place.dataset.fill];
    place.textContent = value || place.dataset.empty;
    place.classList.toggle('filled', Boolean(value));
  }
}

function set(kind, value) {
  values[kind] = value.trim();
  const keep = Object.fromEntries(Object.entries(values).filter(([name]) => !forgotten.includes(name)));
  try {
    sessionStorage.setItem('parley-docs', JSON.stringify(keep));
  } catch {
    // Then they are filled in on this page only.
  }
  fillIn();
}

if (wanted.length > 0) {
  const fields = make('div');
  for (const kind of wanted) {
    const input = make('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: false,
      value: values[kind] ?? '',
    });
    input.addEventListener('input', () => set(kind, input.value));
    inputs.set(kind, input);
    fields.append(make('label', {}, kinds[kind], input));
  }
  const said = make('p', {
    textContent: 'They stay in this tab; the administration token is forgotten with the page.',
  });
  said.setAttribute('role', 'status');
  const fromConsole = make('button', { type: 'button', textContent: 'Take them from the console' });
  fromConsole.addEventListener('click', async () => {
    said.textContent = await takeFromConsole();
  });
  const panel = make(
    'details',
    { className: 'fill', open: wanted.length > 1 },
    make('summary', { textContent: 'Put your own values into the examples' }),
    said,
    fields,
    ...(wanted.some((kind) => fromConsoleKinds.includes(kind)) ? [fromConsole] : []),
  );
  document.querySelector('h1 + p')?.after(panel);
  fillIn();
}

/** The newest publishable key, and whose it is. */
async function takeFromConsole() {
  let response;
  try {
    response = await fetch('/api/v1/settings/keys?limit=200');
  } catch {
    return 'The service does not answer.';
  }
  if (!response.ok) return 'Sign in to the console of this service first.';
  const { items } = await response.json();
  const key = items.find(({ kind, agentId }) => kind === 'publishable' && agentId);
  if (!key) return 'You have no publishable key yet. Make one in the console, under Integrations.';
  for (const [kind, value] of [
    ['publishableKey', key.key],
    ['agentId', key.agentId],
    ['tenantId', key.tenantId],
  ]) {
    const input = inputs.get(kind);
    if (input) input.value = value;
    set(kind, value);
  }
  return 'Filled in. A secret key is shown once, when it is made: paste yours.';
}

// Finds pages: the index is small and is searched here.
const search = document.querySelector('#search');
const query = search.querySelector('input');
const status = search.querySelector('[role=status]');
const list = search.querySelector('ul');
let index;
search.hidden = false;

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** How well a section answers; 0 when a word of the query is not in it. */
function score({ title, heading, text }, words) {
  let sum = 0;
  for (const word of words) {
    const found =
      (title.toLowerCase().includes(word) ? 6 : 0) +
      (heading.toLowerCase().includes(word) ? 8 : 0) +
      (text.toLowerCase().includes(word) ? 1 : 0);
    if (found === 0) return 0;
    sum += found;
  }
  return sum;
}

async function find() {
  const asked = query.value;
  const words = wordsOf(asked);
  if (words.length === 0) {
    list.replaceChildren();
    status.textContent = '';
    return;
  }
  try {
    index ??= fetch('/docs/search.json').then((response) => response.json());
    const sections = await index;
    if (query.value !== asked) return;
    const found = sections
      .map((section) => ({ section, points: score(section, words) }))
      .filter(({ points }) => points > 0)
      .sort((a, b) => b.points - a.points)
      .slice(0, 12);
    list.replaceChildren(
      ...found.map(({ section: { url, title, heading } }) =>
        make(
          'li',
          {},
          make('a', { href: url }, heading || title, make('small', { textContent: heading ? title : '' })),
        ),
      ),
    );
    status.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
    if (found.length === 0)
      list.replaceChildren(
        make(
          'li',
          {},
          make('a', { href: '/docs' }, 'Nothing found', make('small', { textContent: 'All pages' })),
        ),
      );
  } catch {
    index = undefined;
    status.textContent = 'The search does not work at the moment';
  }
}

query.addEventListener('input', find);
query.addEventListener('focus', find);
search.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (event.key === 'Escape') {
    list.replaceChildren();
    query.focus();
  } else if (event.key === 'ArrowDown') links[at + 1]?.focus();
  else if (event.key === 'ArrowUp') (links[at - 1] ?? query).focus();
  else if (event.key === 'Enter' && at < 0) links[0]?.click();
  else return;
  event.preventDefault();
});
// The list closes when somebody goes on elsewhere.
document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) list.replaceChildren();
});
search.addEventListener('focusout', ({ relatedTarget }) => {
  if (relatedTarget && !search.contains(relatedTarget)) list.replaceChildren();
});
