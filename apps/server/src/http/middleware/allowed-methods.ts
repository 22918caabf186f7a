import type { Router } from 'express';

/** The methods with which `path` can be requested: empty when no route is there. */
export function allowedMethods(router: Router, path: string): string[] {
  const methods = new Set<string>();
  for (const layer of router.stack) {
    if (layer.route === undefined || !matches(layer, path)) continue;
    for (const { method } of layer.route.stack) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

type Layer = Router['stack'][number];

function matches(layer: Layer & { match?(path: string): boolean }, path: string): boolean {
  try {
    return layer.match?.(path) ?? false;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}
