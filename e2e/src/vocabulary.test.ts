import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const sources = ['apps', 'packages', 'e2e'];

/** Names that the code had once, with the field's word for each. */
const replaced: Readonly<Record<string, string>> = {
  equipment: 'AgentRuntime',
  equip: 'resolveAgent',
  Incoming: 'MessageInput',
  Acceptable: 'EnqueueRequest',
  Acceptance: 'EnqueueResult',
  AcceptedAnswer: 'EnqueueResult',
  QueuedItem: 'QueueItem',
  Replaced: 'EditTarget',
  resolveAsks: 'resolveInput',
  Asker: 'SessionAccess',
  beginTurn: 'startTurn',
  runSteps: 'runTurn',
  giveUp: 'abort, failItem or release',
  admitCaller: 'authenticateRequest',
  admitSpeaker: 'requireActiveAgent',
  EgressRefused: 'EgressDeniedError',
  StoreUnavailable: 'StoreUnavailableError',
  LiveLog: 'EventBus',
  patience: 'timeout',
  stuckMs: 'writeTimeoutMs',
  longestList: 'maxItems',
  lasting: 'permanent',
  createTalk: 'SessionClient',
  comeBack: 'onReconnect',
  whenBack: 'onReconnect',
  drawOnce: 'memo',
  drawIcon: 'renderIcon',
  useArmed: 'useClickjackingGuard',
  tellPage: 'emitHostEvent',
  visibleText: 'escapeInvisible',
  spokenText: 'toPlainText',
  Pill: 'ScrollToEndButton',
  sharer: 'leader',
  holdBack: 'trimIncomplete',
  Arrival: 'ConfirmTransfer',
  raiseStage: 'startMockService',
  mendNetwork: 'goOnline',
  whileGone: 'duringOutage',
};

/** A bound is `max...`; of a list, the one that is used most is `mostUsed`. */
const bound = /\b(?:const|let|readonly) (most(?!Used\b)[A-Z]\w*)/g;

async function* readSources(): AsyncGenerator<{ file: string; text: string }> {
  for (const folder of sources) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !/\.tsx?$/.test(file) || /node_modules|\/dist\//.test(file)) continue;
      if (file !== import.meta.filename) yield { file, text: await readFile(file, 'utf8') };
    }
  }
}

/** Code without what it says to people: comments, texts, and what stands between tags. */
const identifiers = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");

test('code uses the words of the field', async () => {
  const found: string[] = [];
  for await (const { file, text } of readSources()) {
    const code = identifiers(text);
    for (const [name, word] of Object.entries(replaced))
      if (new RegExp(`\\b${name}\\b`).test(code)) found.push(`${file}: ${name} is ${word}`);
    for (const [, name] of code.matchAll(bound)) found.push(`${file}: a bound is max..., not ${name}`);
  }
  expect(found).toEqual([]);
});
