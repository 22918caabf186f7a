interface Wanted {
  /** Where the page is. */
  readonly page: string;
  /** Where the widget is loaded from, which is where it speaks to. */
  readonly service: string;
  readonly kind: 'script' | 'element' | 'frame';
  readonly nonce: string | null;
}

export interface PolicyObstacle {
  /** What browsers refuse. */
  readonly refused: 'script' | 'connection' | 'frame';
  /** The directive as it has to be; null: the page's nonce on the tag is what it takes. */
  readonly line: string | null;
}

/** The same with addresses that are parsed once: a policy may have thousands of sources. */
interface Place extends Pick<Wanted, 'kind' | 'nonce'> {
  readonly page: URL;
  readonly service: URL;
}

type Directives = ReadonlyMap<string, readonly string[]>;

/** What of a Content-Security-Policy keeps the widget from a page, or null. A header may hold several, and all of them count. */
export function policyObstacle(policies: readonly string[], wanted: Wanted): PolicyObstacle | null {
  const place = { ...wanted, page: new URL(wanted.page), service: new URL(wanted.service) };
  for (const policy of policies.flatMap((each) => each.split(','))) {
    const obstacle = obstacleOf(parse(policy), place);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

function parse(policy: string): Directives {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    // The first one of a name counts.
    if (name !== '' && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

function obstacleOf(directives: Directives, wanted: Place): PolicyObstacle | null {
  if (wanted.kind === 'frame')
    return refusal(directives, 'frame', ['frame-src', 'child-src', 'default-src'], wanted);
  const scripts = ['script-src-elem', 'script-src', 'default-src'];
  const script = wanted.kind === 'script' ? scriptRefusal(directives, scripts, wanted) : null;
  return script ?? refusal(directives, 'connection', ['connect-src', 'default-src'], wanted);
}

function scriptRefusal(
  directives: Directives,
  names: readonly string[],
  wanted: Place,
): PolicyObstacle | null {
  const sources = names.map((name) => directives.get(name)).find((each) => each !== undefined) ?? null;
  if (sources === null || (wanted.nonce !== null && sources.includes(`'nonce-${wanted.nonce}'`))) return null;
  if (sources.includes("'strict-dynamic'")) return { refused: 'script', line: null };
  return refusal(directives, 'script', names, wanted);
}

/** The first of the names that the policy has is the one that browsers ask. */
function refusal(
  directives: Directives,
  refused: PolicyObstacle['refused'],
  names: readonly string[],
  wanted: Place,
): PolicyObstacle | null {
  const asked = names.find((name) => directives.has(name));
  if (asked === undefined) return null;
  const sources = directives.get(asked) ?? [];
  if (sources.some((source) => matches(source, wanted))) return null;
  const kept = sources.filter((source) => source.toLowerCase() !== "'none'");
  // Written into `default-src`, it would allow more than this.
  const name =
    asked === 'default-src' || asked === 'child-src'
      ? (names.at(refused === 'script' ? 1 : 0) ?? asked)
      : asked;
  return { refused, line: [name, ...kept, wanted.service.origin].join(' ') };
}

function matches(source: string, { page, service: url }: Place): boolean {
  if (source === "'self'") return page.origin === url.origin;
  if (source === '*') return true;
  if (/^[a-z][a-z\d+.-]*:$/i.test(source)) return source.toLowerCase() === url.protocol;
  const [, scheme, host = '', port, path = ''] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?(\*|(?:\*\.)?[^/:*'"]+|\[[^\]]+\])(?::(\d+|\*))?(\/.*)?$/i.exec(source) ??
    [];
  if (host === '' || (path !== '' && path !== '/')) return false;
  // Without a scheme it is the page's, and a stronger one is as good.
  const expected = (scheme ?? page.protocol.slice(0, -1)).toLowerCase();
  if (`${expected}:` !== url.protocol && !(expected === 'http' && url.protocol === 'https:')) return false;
  const own = url.port || (url.protocol === 'https:' ? '443' : '80');
  const isPort = port === '*' || own === (port ?? (url.protocol === 'https:' ? '443' : '80'));
  const name = host.toLowerCase();
  const isHost =
    name === '*' || (name.startsWith('*.') ? url.hostname.endsWith(name.slice(1)) : url.hostname === name);
  return isPort && isHost;
}
