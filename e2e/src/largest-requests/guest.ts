import { randomUUID } from 'node:crypto';
import { chatPatterns, consoleHeader } from '@parley/protocol/paths';
import type { Route } from '@parley/protocol/route';
import { type RunningServer, type TestAgent, createAgent } from '../server.ts';
import { identitySecret, sign } from '../browser/visitor-token.ts';
import type { Known } from './largest-instance.ts';
import { hostileBodies } from './hostile-bodies.ts';

/** Where a request goes, the ids and tokens that let it in, and the session whose log shows what came of it. */
export interface Target {
  readonly path: string;
  readonly known: Known;
  readonly sessionId: string | null;
}

/** A tenant that sends what is largest, to its own sessions and settings. */
export interface Guest extends TestAgent {
  headersOf(route: Route): Record<string, string>;
  /** Something of its own for every request: many of them remove what they are sent to. */
  targetOf(route: Route): Promise<Target>;
  hostileBodies: typeof hostileBodies;
}

export async function createGuest(server: RunningServer): Promise<Guest> {
  const agent = await createAgent(server, script, {
    outputSchemaForVisitors: true,
    identity: { secret: identitySecret },
  });
  // Turns would offer the model more tools with every pass.
  const { id: idleAgentId } = await server.settings<{ id: string }>('POST', '/agents', {
    tenantId: agent.tenantId,
    name: 'Idle',
    model: { provider: 'scripted', script: [] },
  });
  const sessionHeaders = {
    authorization: `Bearer ${agent.publishableKey}`,
    'content-type': 'application/json',
  };

  async function newSession(
    message: string,
    visitor: Record<string, string> = {},
  ): Promise<{ sessionId: string; continuationToken: string }> {
    const response = await fetch(`${server.url}/parley/v1/session`, {
      method: 'POST',
      headers: { ...sessionHeaders, ...visitor },
      body: JSON.stringify({ message }),
    });
    if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as { sessionId: string; continuationToken: string };
  }

  /** A conversation that the agent's secret keys have; none is begun with a publishable key. */
  async function newConversation(): Promise<string> {
    const id = longestId();
    const response = await fetch(server.url + chatPatterns.chat, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id, text: 'word' }),
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    return id;
  }

  /** Somebody who has come by an invitation, and the cookie of their browser. */
  async function newMember(): Promise<{ id: string; cookie: string }> {
    const invited = { tenantId: agent.tenantId, role: 'agent' };
    const { token } = await server.settings<{ token: string }>('POST', '/invitations', invited);
    const response = await fetch(`${server.url}/api/v1/settings/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [consoleHeader]: '1' },
      body: JSON.stringify({ token, name: randomUUID(), password }),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    const { id } = (await response.json()) as { id: string };
    return { id, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  }
  const member = await newMember();

  let webhookId: string | undefined;
  async function newWebhook(): Promise<string> {
    const body = {
      tenantId: agent.tenantId,
      name: 'CRM',
      url: 'https://hooks.invalid/',
      events: ['rating'],
    };
    return (await server.settings<{ id: string }>('POST', '/webhooks', body)).id;
  }

  async function newDraft(path: string): Promise<string> {
    const settingsPath = path.replace('/api/v1/settings', '');
    return (await server.settings<{ changedAt: string }>('PATCH', settingsPath, { name: 'Changed' }))
      .changedAt;
  }

  async function settingsId(noun: string, { name }: Route): Promise<string> {
    if (noun === 'conversations') {
      const { sessionId } = await newSession('word');
      // Only whoever answers may speak, or stop to.
      if (name === 'sendTeamMessage' || name === 'handBackConversation')
        await server.settings('POST', `/conversations/${sessionId}/take-over`);
      return sessionId;
    }
    if (noun === 'contacts') {
      const token = sign(randomUUID(), agent.agentId);
      await newSession('word', { 'x-parley-visitor-token': token });
      const newest = `/contacts?tenantId=${agent.tenantId}&limit=1`;
      return (await server.settings<{ items: [{ id: string }] }>('GET', newest)).items[0].id;
    }
    // Only an authenticator makes one.
    if (noun === 'passkeys') return 'passkey_none';
    if (noun === 'members') return (name === 'readMember' ? member : await newMember()).id;
    const { tenantId } = agent;
    if (noun === 'webhooks') {
      // A tenant has few of them.
      if (name !== 'deleteWebhook') return (webhookId ??= await newWebhook());
      return newWebhook();
    }
    const model = { provider: 'scripted', script: [] };
    const bodies: Record<string, unknown> = {
      invitations: { tenantId, role: 'viewer' },
      tenants: { name: 'Short-lived' },
      agents: { tenantId, name: 'Short-lived', model },
      keys: { tenantId, agentId: idleAgentId, kind: 'secret' },
      tools: {
        agentId: idleAgentId,
        kind: 'http',
        name: `tool_${randomUUID().replaceAll('-', '')}`,
        description: 'A tool',
        parameters: { type: 'object' },
        request: { method: 'GET', url: 'http://127.0.0.1:9/' },
      },
      connections: {
        agentId: idleAgentId,
        kind: 'mcp',
        name: `c${randomUUID().slice(0, 8)}`,
        url: 'https://mcp.invalid/',
      },
      sources: { agentId: idleAgentId, kind: 'text', name: 'Notes', text: 'Bring milk.' },
    };
    return (await server.settings<{ id: string }>('POST', `/${noun}`, bodies[noun])).id;
  }

  return {
    ...agent,
    hostileBodies,
    headersOf({ principal, secretKey }) {
      if (principal === 'anyone') return {};
      if (secretKey) return { authorization: `Bearer ${agent.secretKey}` };
      if (principal === 'member') return { cookie: member.cookie, [consoleHeader]: '1' };
      return { authorization: `Bearer ${principal === 'key' ? agent.publishableKey : server.adminToken}` };
    },
    async targetOf(route) {
      const { tenantId } = agent;
      if (route.tag === 'Chat') {
        const id = route.secretKey ? await newConversation() : longestId();
        return { path: route.path.replace(':id', id), known: { id }, sessionId: null };
      }
      if (route.tag === 'Sessions' && route.name !== 'createSession') {
        const { sessionId, continuationToken } = await newSession('word');
        const known = { continuationToken, turnId: 'turn_0' };
        return { path: route.path.replace(':id', sessionId), known, sessionId };
      }
      const noun = /^\/api\/v1\/settings\/(\w+)\/:id/.exec(route.path)?.[1];
      const path = (
        noun === undefined ? route.path : route.path.replace(':id', await settingsId(noun, route))
      )
        .replace(':revision', '1')
        .replace(':delivery', 'none');
      // Of the draft as it is, which is none of a new agent.
      const changedAt =
        route.name === 'publishDraft' ? await newDraft(path.replace(/publish$/, 'draft')) : null;
      const name = `n${randomUUID().replaceAll('-', '').slice(0, 20)}`;
      const known = { tenantId, agentId: idleAgentId, memberId: member.id, name, password };
      // An address on this machine is refused when it is saved.
      const url = `https://hooks.invalid/${'p'.repeat(1_900)}`;
      return {
        path,
        known: {
          ...known,
          newPassword: password,
          changedAt,
          ...(/\/webhooks\b/.test(path) && { url, events: ['rating'], agentIds: [idleAgentId] }),
        },
        sessionId: null,
      };
    },
  };
}

const longestId = () => randomUUID().padEnd(200, 'x');

const password = 'correct horse battery';

/** Repeats what it is told, so that what is large goes through the log, the history and the prompt as well. */
const script = [
  { when: '^hold', steps: [{ wait: 600_000 }, { say: 'Held.' }] },
  { when: '^word$', steps: [{ say: 'Word.' }] },
  { steps: [{ say: '{{input}}' }] },
];
