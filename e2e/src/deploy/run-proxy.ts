import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureProgram } from '../ensure-program.ts';
import { freePort } from '../free-port.ts';
import type { Certificate } from './local-authority.ts';

const deploy = join(import.meta.dirname, '../../../apps/server/deploy');

export interface Proxy {
  readonly url: string;
  /** The configuration is read again, while requests are under way. */
  reload(): void;
  /** All that it has written. */
  log(): string;
  stop(): Promise<void>;
}

interface ProxyOptions {
  readonly folder: string;
  readonly certificate: Certificate;
  readonly port: number;
  /** `host:port` of each process. */
  readonly processes: readonly [string, string];
}

/** nginx of this machine, or of Debian where the user may install it, with the block that operators are given. */
export async function runNginx({ folder, certificate, port, processes }: ProxyOptions): Promise<Proxy> {
  const nginx = ensureProgram('nginx', 'nginx-light');
  const block = replaceAll(readFileSync(join(deploy, 'nginx.conf'), 'utf8'), {
    'server 127.0.0.1:3000 ': `server ${processes[0]} `,
    'server 127.0.0.1:3001 ': `server ${processes[1]} `,
    'listen 443 ssl http2;': `listen 127.0.0.1:${port} ssl http2;`,
    'listen [::]:443 ssl http2;': '',
    'listen 80;': `listen 127.0.0.1:${await freePort()};`,
    'listen [::]:80;': '',
    '/var/log/nginx/parley.log': join(folder, 'access.log'),
    '/var/log/nginx/parley-error.log': join(folder, 'error.log'),
    '/etc/ssl/parley/certificate.pem': certificate.certificate,
    '/etc/ssl/parley/key.pem': certificate.key,
  });
  const configuration = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;\n' : '';
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};\n`,
  );
  writeFileSync(
    configuration,
    `${user}pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log notice;\nworker_processes 2;\nevents {}\n` +
      `http {\n${places.join('')}${block}}\n`,
  );
  const arguments_ = ['-p', folder, '-c', configuration];
  execFileSync(nginx, ['-t', '-q', ...arguments_], { stdio: 'inherit' });
  const child = spawn(nginx, [...arguments_, '-g', 'daemon off;'], { stdio: 'inherit' });
  return {
    url: `https://localhost:${port}`,
    reload: () => execFileSync(nginx, [...arguments_, '-s', 'reload'], { stdio: 'ignore' }),
    log: () => ['error.log', 'access.log'].map((name) => readFileSync(join(folder, name), 'utf8')).join(''),
    stop: () => stopped(child),
  };
}

/** Caddy, likewise. */
export async function runCaddy({ folder, certificate, port, processes }: ProxyOptions): Promise<Proxy> {
  const caddy = ensureProgram('caddy');
  const administration = `127.0.0.1:${await freePort()}`;
  const log = join(folder, 'error.log');
  const block = replaceAll(readFileSync(join(deploy, 'Caddyfile'), 'utf8'), {
    '\tgrace_period 10s\n': `\tgrace_period 1s\n\tadmin ${administration}\n\tauto_https disable_redirects\n`,
    '\tlog {\n': `\tlog {\n\t\toutput file ${log}\n`,
    '\nchat.example.com {': `\nhttps://localhost:${port} {\n\ttls ${certificate.certificate} ${certificate.key}`,
    'reverse_proxy 127.0.0.1:3000 127.0.0.1:3001 ': `reverse_proxy ${processes.join(' ')} `,
  });
  const configuration = join(folder, 'Caddyfile');
  writeFileSync(configuration, block);
  const named = ['--config', configuration, '--adapter', 'caddyfile'];
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(caddy, ['run', ...named], { stdio: ['ignore', 'ignore', 'inherit'], env });
  return {
    url: `https://localhost:${port}`,
    reload: () =>
      execFileSync(caddy, ['reload', '--force', '--address', administration, ...named], {
        stdio: 'ignore',
        env,
      }),
    log: () => readFileSync(log, 'utf8'),
    stop: () => stopped(child),
  };
}

function replaceAll(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((replaced, [from, to]) => {
    if (!replaced.includes(from)) throw new Error(`The file does not say ${from}`);
    return replaced.replaceAll(from, to);
  }, text);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
