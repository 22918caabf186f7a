import type { PageCheck, PageFinding } from '@parley/protocol/settings/website';
import { originListed } from '../../auth/origins.ts';
import type { Egress } from '../../egress/egress.ts';
import type { PageEmbed, PageEmbeds } from '../../knowledge/extract/page-embeds.ts';
import { fetchPage } from '../../knowledge/website/fetch-page.ts';
import type { AgentRecord } from '../../store/agent-record.ts';
import type { KeyRecord } from '../../store/settings-store.ts';
import { policyObstacle } from './policy-obstacle.ts';

interface CheckPageDeps {
  readonly egress: Pick<Egress, 'request'>;
  /** What the HTML of a page says, or in words why it could not be read. */
  readonly embedsIn: (page: {
    readonly html: string;
    readonly address: string;
  }) => Promise<PageEmbeds | string>;
  readonly findKey: (key: string) => Promise<KeyRecord | null>;
  readonly agent: AgentRecord;
  /** The addresses of this service. */
  readonly ownOrigins: ReadonlySet<string>;
  readonly caller: string;
  readonly signal: AbortSignal;
}

/** What a page would say to a visitor's browser, in words. */
export async function checkPage(url: string, deps: CheckPageDeps): Promise<PageCheck> {
  const { egress, caller, signal } = deps;
  const page = await fetchPage(egress, {
    tenantId: caller,
    url,
    version: null,
    accept: 'text/html, application/xhtml+xml',
    signal,
    follows: () => true,
  });
  const result = (address: string, findings: readonly PageFinding[]): PageCheck => ({
    address,
    ok: findings.every(({ code }) => code === 'found'),
    findings: [...findings],
  });
  if (page.outcome !== 'page') {
    const reason = page.outcome === 'problem' ? page.message : 'The address answered 304.';
    return result(url, [found('unreadable', `The page could not be opened. ${reason}`)]);
  }
  const { address, contentSecurityPolicy, text: html } = page;
  const read = await deps.embedsIn({ html, address });
  if (typeof read === 'string')
    return result(address, [found('unreadable', `The page could not be read. ${read}`)]);
  const policies = [...(contentSecurityPolicy === null ? [] : [contentSecurityPolicy]), ...read.policies];
  return result(address, await findings(address, { ...read, policies }, deps));
}

const found = (code: PageFinding['code'], sentence: string, line: string | null = null): PageFinding => ({
  code,
  sentence,
  line,
});

async function findings(
  address: string,
  { embeds, policies }: PageEmbeds,
  deps: CheckPageDeps,
): Promise<PageFinding[]> {
  const { agent } = deps;
  const obstacles: PageFinding[] = agent.active
    ? []
    : [found('agent-inactive', 'The agent is paused: visitors read that the chat is not available.')];
  if (embeds.length === 0)
    return [
      found(
        'missing',
        'The page does not have the code. Paste it, publish the page, and check again. Code that another script of the page adds is not seen here, since nothing of the page is run.',
      ),
      ...obstacles,
    ];
  const judged = await Promise.all(embeds.map((embed) => judge(embed, { address, policies, deps })));
  // One that works is enough: a page may hold the chats of others.
  obstacles.push(
    ...(judged.some((each) => each === null) ? [] : judged.flatMap((each) => each ?? []).slice(0, 3)),
  );
  if (obstacles.length > 0) return obstacles;
  return [found('found', `${agent.name} is on this page, and nothing is in its way.`)];
}

interface Place {
  readonly address: string;
  readonly policies: readonly string[];
  readonly deps: CheckPageDeps;
}

/** What is in the way of one widget of the page; null: nothing. */
async function judge(embed: PageEmbed, place: Place): Promise<PageFinding | null> {
  const { address, deps } = place;
  if (embed.origin !== null && !deps.ownOrigins.has(embed.origin))
    return found(
      'other-service',
      `The page loads the chat from ${embed.origin}, which is not this service. Copy the code again.`,
    );
  const key = embed.key === null ? null : await deps.findKey(embed.key);
  if (key === null || key.kind !== 'publishable')
    return found(
      'unknown-key',
      `The code has the key ${shortened(embed.key)}, which is none of this service. Copy the code again.`,
    );
  if (key.agentId !== deps.agent.id)
    return found(
      'other-agent',
      `The code has the key ${shortened(embed.key)}, which is of another agent. Copy the code of this one.`,
    );
  const { origin } = new URL(address);
  if (!deps.ownOrigins.has(origin) && !originListed(origin, key.allowedOrigins))
    return found(
      'origin-not-allowed',
      `Pages of ${origin} may not use the key ${shortened(embed.key)}. Add this address to it.`,
      origin,
    );
  return policyFinding(embed, place);
}

const refusedWords = {
  script: 'load the chat',
  connection: 'speak to the service',
  frame: 'show the frame of the chat',
};

function policyFinding({ kind, origin, nonce }: PageEmbed, { address, policies }: Place): PageFinding | null {
  if (origin === null) return null;
  const obstacle = policyObstacle(policies, { page: address, service: origin, kind, nonce });
  if (obstacle === null) return null;
  const sentence = `The page’s Content-Security-Policy does not let browsers ${refusedWords[obstacle.refused]}.`;
  return obstacle.line === null
    ? found('policy', `${sentence} Give the tag the nonce that the page gives its other scripts.`)
    : found('policy', `${sentence} This directive allows it:`, obstacle.line);
}

/** Enough to tell one key from another. */
const shortened = (key: string | null) =>
  key === null ? '(none)' : key.length > 16 ? `${key.slice(0, 8)}…${key.slice(-4)}` : key;
