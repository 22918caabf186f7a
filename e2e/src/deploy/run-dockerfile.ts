import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { type Instruction, environmentOf, parseDockerfile, wordsOf } from './dockerfile.ts';

/** What a container of the image would have, in a folder instead of a root of its own. */
export interface Image {
  readonly root: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly uid: number;
  readonly gid: number;
  readonly command: readonly string[];
  readonly healthcheck: readonly string[];
}

/**
 * Follows a Dockerfile in `work`, a folder for each stage. Nothing is isolated, so its commands may name no absolute path;
 * of a base image there is Node alone.
 */
export function runDockerfile(options: {
  readonly dockerfile: string;
  readonly context: string;
  readonly work: string;
  readonly report: (line: string) => void;
}): Image {
  const { dockerfile, context, work, report } = options;
  const ignored = readFileSync(`${dockerfile}.dockerignore`, 'utf8').split('\n').filter(Boolean);
  const isIgnored = (path: string) => ignored.some((pattern) => matchesGlob(path, pattern));
  const roots = new Map<string, string>();
  let image: Image | null = null;

  for (const [index, stage] of parseDockerfile(readFileSync(dockerfile, 'utf8')).entries()) {
    const root = join(work, stage.name ?? `stage-${index}`);
    roots.set(stage.name ?? String(index), root);
    let folder = root;
    let environment: Record<string, string> = {};
    let [uid, gid] = [0, 0];
    const words: Record<string, readonly string[]> = {};
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
    if (stage.base.startsWith('node:')) copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));

    const copy = ({ text, flags }: Instruction) => {
      const [from = '', to = ''] = text.split(/\s+/);
      const source =
        flags['from'] === undefined ? join(context, from) : join(roots.get(flags['from'])!, from);
      const target = to.startsWith('/') ? join(root, to) : join(folder, to);
      if (statSync(source).isFile()) copyFileSync(source, target);
      else
        cpSync(source, target, {
          recursive: true,
          verbatimSymlinks: true,
          filter: (path) => flags['from'] !== undefined || !isIgnored(relative(context, path)),
        });
      const [owner, group] = (flags['chown'] ?? '0:0').split(':').map(Number);
      if (flags['chown'] !== undefined && process.getuid?.() === 0) chownSync(target, owner!, group!);
    };

    for (const instruction of stage.instructions) {
      const { name, text } = instruction;
      report(`${name} ${text}`);
      switch (name) {
        case 'WORKDIR':
          folder = join(root, text);
          mkdirSync(folder, { recursive: true });
          break;
        case 'COPY':
          copy(instruction);
          break;
        case 'RUN':
          if (/(^|\s)\//.test(text)) throw new Error(`An absolute path cannot be tried here: ${text}`);
          execFileSync('sh', ['-c', text], {
            cwd: folder,
            stdio: ['ignore', 'ignore', 'inherit'],
            // The machine's own, which say from where packages come.
            env: { ...process.env, ...environment },
          });
          break;
        case 'ENV':
          environment = { ...environment, ...environmentOf(instruction) };
          break;
        case 'USER':
          [uid = 0, gid = 0] = text.split(':').map(Number);
          break;
        case 'CMD':
        case 'ENTRYPOINT':
        case 'HEALTHCHECK':
          words[name] = wordsOf(instruction);
          break;
        case 'EXPOSE':
        case 'VOLUME':
          break;
        default:
          throw new Error(`${name} cannot be tried here.`);
      }
    }
    const { ENTRYPOINT = [], CMD = [], HEALTHCHECK = [] } = words;
    image = {
      root,
      folder,
      environment,
      uid,
      gid,
      command: [...ENTRYPOINT, ...CMD],
      healthcheck: HEALTHCHECK,
    };
  }
  if (!image) throw new Error(`${dockerfile} has no stage.`);
  // Whoever runs it has to come in from above.
  for (const path of [work, image.root]) chmodSync(path, 0o755);
  return image;
}
