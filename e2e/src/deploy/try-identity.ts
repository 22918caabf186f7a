import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { identityCode } from '../../../apps/console/src/identity/identity-code.ts';
import { ensureProgram } from '../ensure-program.ts';
import { createAgent, startServer } from '../server.ts';

const secret = 'a secret that only a shop and the service know';
/** An id whose letters and slash each language writes into JSON in a way of its own. */
const visitor = 'zoë/7';

interface Language {
  readonly command: readonly [string, ...string[]];
  readonly program: (code: string) => string;
}

/** How each language runs a program that it is given, and one that says a token with what the console shows. */
const findLanguages = (): Readonly<Record<string, Language>> => ({
  Node: {
    command: [process.execPath, '--input-type=module'],
    program: (code) => `${code}\nprocess.stdout.write(visitorToken('${visitor}'));`,
  },
  Python: {
    command: [ensureProgram('python3')],
    program: (code) => `${code}\nprint(visitor_token('${visitor}'))`,
  },
  PHP: {
    command: [ensureProgram('php', 'php-cli')],
    program: (code) => `<?php\n${code}\necho visitor_token('${visitor}');`,
  },
  Ruby: {
    command: [ensureProgram('ruby')],
    program: (code) => `${code}\nputs visitor_token('${visitor}')`,
  },
});

/** The code that the console shows for a tenant's server, run as it is copied: the service knows whose token it is. */
export async function tryIdentity(): Promise<void> {
  const languages = findLanguages();
  const server = await startServer();
  try {
    const { agentId, publishableKey } = await createAgent(server, [{ steps: [{ say: 'Hello.' }] }], {
      identity: { secret },
    });
    const start = (token: string) =>
      fetch(`${server.url}/parley/v1/session`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${publishableKey}`,
          'content-type': 'application/json',
          'x-parley-visitor-token': token,
        },
        body: JSON.stringify({ message: 'Hello' }),
      });
    for (const { name, text } of identityCode(agentId)) {
      const language = languages[name];
      assert.ok(language, `The console shows code for ${name}, which is not tried.`);
      const [command, ...options] = language.command;
      const { stdout, stderr } = spawnSync(command, options, {
        input: language.program(text),
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LANG: 'C.UTF-8', PARLEY_IDENTITY_SECRET: secret },
      });
      const token = stdout.trim();
      const started = await start(token);
      assert.equal(started.status, 202, `${name}: ${stderr}${await started.clone().text()}`);
      const { sessionId } = (await started.json()) as { sessionId: string };
      const conversation = await server.settings<{ visitor: string }>('GET', `/conversations/${sessionId}`);
      assert.equal(conversation.visitor, visitor, name);
      const forged = await start(`${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`);
      assert.equal(forged.status, 401, name);
      console.log(`  ${name}: the service lets in whom its token names, and nobody with another signature`);
    }
  } finally {
    await server.stop();
  }
}
