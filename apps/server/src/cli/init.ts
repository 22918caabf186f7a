import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { chatPatterns, fillPath } from '@parley/protocol/paths';
import { problemSchema } from '@parley/protocol/problem';
import { z } from 'zod';
import { readConfig } from '../config.ts';
import { CommandError } from './command-error.ts';
import { type Answer, localUrl, openLocalService } from './local-service.ts';
import { readWords } from './read-words.ts';
import { say } from './say.ts';

const usage =
  'init [--tenant NAME] [--agent NAME] [--instructions TEXT] [--provider NAME --model NAME] [--base-url URL] [--api-key KEY|-] [--origin ORIGIN]...';
const options = {
  tenant: { type: 'string', default: 'My firm' },
  agent: { type: 'string', default: 'Assistant' },
  instructions: { type: 'string' },
  provider: { type: 'string' },
  model: { type: 'string' },
  'base-url': { type: 'string' },
  'api-key': { type: 'string' },
  origin: { type: 'string', multiple: true, default: [] as string[] },
} as const;

const made = z.object({ id: z.string() });
const madeKey = z.object({ key: z.string() });
const reply = z.object({ text: z.string() });
const page = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string() })),
  next: z.string().nullable(),
});
const echo = { provider: 'scripted', script: [{ steps: [{ say: 'You said: {{input}}' }] }] };

/** What a request calls otherwise than whoever gives the command. */
const optionOf = {
  tenants: { name: '--tenant' },
  agents: {
    name: '--agent',
    instructions: '--instructions',
    'model.provider': '--provider',
    'model.model': '--model',
    'model.baseUrl': '--base-url',
    'model.apiKey': '--api-key',
  },
  keys: { allowedOrigins: '--origin' },
} as const;

const maxKeyLength = 10_000;

type Service = Awaited<ReturnType<typeof openLocalService>>;

/** Makes a tenant, unless there is one of this name, an agent and its keys, asks the agent something, and says how to go on. */
export async function init(words: readonly string[]): Promise<void> {
  const { values } = readWords(words, { usage, options, files: 0 });
  const { provider, model, 'base-url': baseUrl, 'api-key': givenKey } = values;
  if (provider === undefined && (model ?? baseUrl ?? givenKey) !== undefined)
    throw new CommandError(`Name the provider of the model, too.\nUsage: parley ${usage}`);
  // Whoever may list the processes of a machine reads the words of each.
  const apiKey = givenKey === '-' ? await readKey(process.stdin) : givenKey;
  const config = readConfig(process.env);
  const service = await openLocalService(config);
  const undo: string[] = [];
  try {
    let tenantId = await tenantNamed(service, values.tenant);
    if (tenantId === null) {
      tenantId = (await create(service, 'tenants', made, { name: values.tenant })).id;
      undo.push(`/tenants/${tenantId}`);
    }
    const { id: agentId } = await create(service, 'agents', made, {
      tenantId,
      name: values.agent,
      model:
        provider === undefined
          ? echo
          : {
              provider,
              ...(model !== undefined && { model }),
              ...(baseUrl !== undefined && { baseUrl }),
              ...(apiKey !== undefined && { apiKey }),
            },
      ...(values.instructions !== undefined && { instructions: values.instructions }),
    });
    undo.push(`/agents/${agentId}`);
    const key = { tenantId, agentId };
    const publishable = await create(service, 'keys', madeKey, {
      ...key,
      kind: 'publishable',
      allowedOrigins: values.origin,
      allowMissingOrigin: false,
    });
    const secret = await create(service, 'keys', madeKey, { ...key, kind: 'secret' });
    undo.length = 0;
    say(`Made the agent ${values.agent} (${agentId}) of the tenant ${values.tenant} (${tenantId}).`);
    if (provider === undefined)
      say('Without --provider and --model it says back what it is told. Give it a model in the console.');
    const answers = await ask(service, secret.key);
    const url = config.publicUrl ?? localUrl(config);
    say(
      `\nIn your pages:\n\n  <script async src="${url}/v1/parley.js" data-key="${publishable.key}"></script>`,
    );
    say(
      values.origin.length > 0
        ? `\nPages of ${values.origin.join(', ')} may use it.`
        : '\nNo page may use it yet: add the address of your website to the key in the console, or name it here with --origin.',
    );
    say(`\nFrom your servers, with the secret key, which is shown this once:\n\n${request(url, secret.key)}`);
    if (!service.isRunning) say('\nStart the service: npx -y pnpm@12 serve');
    if (!answers) process.exitCode = 1;
  } catch (error) {
    // The next try would find half of it, and make an agent beside it.
    for (const path of undo.toReversed()) await service.settings('DELETE', path).catch(() => undefined);
    throw error;
  } finally {
    await service.close();
  }
}

/** The key that is written to the command, and no word of it: all of it, or a line of a terminal. */
async function readKey(input: typeof process.stdin): Promise<string> {
  const key = input.isTTY ? await readTyped(input) : await readAll(input);
  if (key.length > maxKeyLength)
    throw new CommandError(`What is written to the command is longer than ${maxKeyLength} characters.`);
  if (key.trim() === '') throw new CommandError('With --api-key - the key is written to the command.');
  return key.trim();
}

/** One line, of which the terminal shows nothing. */
async function readTyped(input: typeof process.stdin): Promise<string> {
  const output = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  process.stderr.write('The key of the provider, and Enter (what you type is not shown): ');
  const [key = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  process.stderr.write('\n');
  return String(key);
}

async function readAll(input: typeof process.stdin): Promise<string> {
  let all = '';
  for await (const piece of input) {
    all += String(piece);
    if (all.length > maxKeyLength) break;
  }
  return all;
}

/** Asks the agent something; false when its model does not answer. */
async function ask(service: Service, secretKey: string): Promise<boolean> {
  const id = 'parley init';
  const { status, body } = await service.request('POST', chatPatterns.chat, secretKey, {
    id,
    text: 'Hello! Who are you, in one sentence?',
  });
  await service.request('DELETE', fillPath(chatPatterns.conversation, id), secretKey);
  if (status === 200) {
    say(`Its model answers: ${reply.parse(body).text}`);
    return true;
  }
  const { cause, error } = problemSchema.parse(body);
  say(`Its model does not answer: ${cause?.message ?? error} Correct the agent in the console.`);
  return false;
}

const request = (url: string, key: string) => `  curl ${url}${chatPatterns.chat} \\
    -H 'Authorization: Bearer ${key}' \\
    -H 'Content-Type: application/json' \\
    -d '{"id": "first-question", "text": "Hello!"}'`;

async function tenantNamed(service: Service, name: string): Promise<string | null> {
  for (let cursor: string | null = null; ;) {
    const query: string = cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const { items, next } = page.parse(accepted(await service.settings('GET', `/tenants${query}`)));
    const found = items.find((tenant) => tenant.name === name);
    if (found) return found.id;
    if (next === null) return null;
    cursor = next;
  }
}

async function create<T>(
  service: Service,
  kind: keyof typeof optionOf,
  schema: z.ZodType<T>,
  body: unknown,
): Promise<T> {
  return schema.parse(accepted(await service.settings('POST', `/${kind}`, body), optionOf[kind]));
}

/** `options`: which of them a field of the request is from. */
function accepted({ status, body }: Answer, options: Readonly<Record<string, string>> = {}): unknown {
  if (status < 300) return body;
  if (status === 401)
    throw new CommandError(
      'The running service takes another ADMIN_TOKEN. Give this command the environment of the service.',
    );
  const { error, issues = [] } = problemSchema.parse(body);
  const told = issues.map(({ path, message }) => {
    const field = path.filter((part) => typeof part === 'string').join('.');
    return `${options[field] ?? field}: ${message}`;
  });
  throw new CommandError(told.join('\n') || error);
}
