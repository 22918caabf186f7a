import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** What the service sends to browsers, each with the file that its build writes. */
const built = [
  { what: 'the widget', file: join(root, 'packages/widget/dist/manifest.json') },
  { what: 'the console', file: join(root, 'apps/console/dist/index.html') },
] as const;

/** What of the service's pages has not been built. */
export function listUnbuilt(): readonly { readonly what: string; readonly file: string }[] {
  return built.filter(({ file }) => !existsSync(file));
}

/** The same in a sentence, with what to do about it. */
export function unbuiltProblem(missing: readonly { readonly what: string }[]): string {
  return `Not built: ${missing.map(({ what }) => what).join(' and ')}. Run \`npx -y pnpm@12 build\`, which needs no restart.`;
}
