import { type Route, problemsOf } from '@parley/protocol/route';
import { routes } from '@parley/protocol/routes';

const patterns = (routes('parley') as readonly Route[]).map((route) => ({
  route,
  path: new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`),
}));

/** An error where a route has answered with a problem that its reference does not name. */
export function undocumentedProblem(method: string, path: string, body: unknown): Error | null {
  const { ok, code } = Object(body) as { ok?: unknown; code?: unknown };
  // The configuration of a widget says what is wrong in its own way.
  if (ok !== false || code === undefined) return null;
  const found = patterns.find((each) => each.route.method === method.toLowerCase() && each.path.test(path));
  // Every call may answer these: a process that only runs turns serves none of them.
  if (!found || code === 'INTERNAL' || code === 'NOT_FOUND') return null;
  if (problemsOf(found.route).some((each) => each === code)) return null;
  return new Error(
    `${found.route.name} answers ${JSON.stringify(code)}, of which its reference says nothing.`,
  );
}
