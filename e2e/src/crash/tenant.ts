import { type RunningServer, type TestAgent, createAgent } from '../server.ts';
import type { ToolPolicy } from '../log-checker/history.ts';
import type { ToolSink } from './tool-sink.ts';

/** A tenant whose agent talks, works, asks for approval and asks questions, as its visitors' words begin. */
export interface Tenant extends TestAgent {
  /** In every text that its visitors send. */
  readonly canary: string;
}

export const tools: Readonly<Record<string, ToolPolicy>> = {
  look_up: { idempotent: true, approval: false },
  pay: { idempotent: false, approval: false },
  wire: { idempotent: false, approval: true },
};

const order = { order: '{{input}}' };
const question = {
  prompt: 'Which colour?',
  options: [
    { id: 'red', label: 'Red' },
    { id: 'blue', label: 'Blue' },
  ],
};

const aMinute = [{ say: 'Still going. ', repeat: 600, delayMs: 100 }];

const script = [
  {
    when: '^safe',
    steps: [{ say: 'Looking. ' }, { call: 'look_up', input: order }, { say: 'Found {{result}}.' }],
  },
  { when: '^pay', steps: [{ say: 'Paying. ' }, { call: 'pay', input: order }, { say: 'Paid {{result}}.' }] },
  {
    when: '^both',
    steps: [{ call: 'look_up', input: order }, { call: 'pay', input: order }, { say: 'Did both.' }],
  },
  { when: '^approve', steps: [{ call: 'wire', input: order }, { say: 'Wired {{result}}.' }] },
  { when: '^ask', steps: [{ ask: question }, { say: 'You chose {{result}}.' }] },
  { when: '^long', steps: [{ say: 'Another word and ', repeat: 15, delayMs: 8 }] },
  {
    when: '^while',
    steps: [
      { say: 'Still going. ', repeat: 30, delayMs: 50 },
      { call: 'look_up', input: order },
    ],
  },
  { when: '^for a minute', steps: aMinute },
  { when: '^cancel', steps: aMinute },
  { when: '^end', steps: aMinute },
  // Slow enough to stay below 60 turns a minute.
  { when: '^chat', steps: [{ say: 'Word for {{input}}. ', repeat: 8, delayMs: 50 }] },
  { steps: [{ say: 'You said {{input}}. ', repeat: 3, delayMs: 2 }] },
];

export async function createTenant(server: RunningServer, sink: ToolSink, canary: string): Promise<Tenant> {
  const agent = await createAgent(server, script);
  for (const [name, { idempotent, approval }] of Object.entries(tools)) {
    await server.settings('POST', '/tools', {
      agentId: agent.agentId,
      kind: 'http',
      name,
      description: name,
      parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
      request: { method: 'POST', url: `${sink.url}/${name}`, body: { order: '{{order}}' } },
      idempotent,
      approval: approval ? 'always' : 'never',
    });
  }
  return { ...agent, canary };
}
