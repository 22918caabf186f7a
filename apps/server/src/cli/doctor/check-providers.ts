import type { Config } from '../../config.ts';
import { createEgress } from '../../egress/egress.ts';
import { reason } from './check-address.ts';
import { clockFinding } from './clock.ts';
import type { Finding } from './finding.ts';

const answerMs = 10_000;

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Where each provider lists its models to whoever has a key: the others have an address for each account. */
const lists: Readonly<
  Record<string, { variable: string; url: string; headers: (key: string) => Record<string, string> }>
> = {
  openai: { variable: 'OPENAI_API_KEY', url: 'https://api.openai.com/v1/models', headers: bearer },
  anthropic: {
    variable: 'ANTHROPIC_API_KEY',
    url: 'https://api.anthropic.com/v1/models',
    headers: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  },
  google: {
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    url: 'https://generativelanguage.googleapis.com/v1beta/models',
    headers: (key) => ({ 'x-goog-api-key': key }),
  },
  mistral: { variable: 'MISTRAL_API_KEY', url: 'https://api.mistral.ai/v1/models', headers: bearer },
};

/** Whether the providers whose keys the service has are reached, and take them. */
export async function checkProviders({ providerKeys, egressAllow }: Config): Promise<Finding[]> {
  const findings: Finding[] = [
    {
      text:
        egressAllow.length === 0
          ? 'Tools and models reach public addresses only (EGRESS_ALLOW is empty).'
          : `Tools and models reach public addresses, and ${egressAllow.join(', ')}.`,
    },
  ];
  const egress = createEgress({ allow: egressAllow });
  try {
    for (const [provider, key] of Object.entries(providerKeys)) {
      const list = lists[provider];
      if (list) findings.push(...(await checkProvider(egress.fetch, list, key)));
    }
  } finally {
    await egress.close();
  }
  return findings;
}

async function checkProvider(
  fetch: typeof globalThis.fetch,
  { variable, url, headers }: NonNullable<(typeof lists)[string]>,
  key: string,
): Promise<Finding[]> {
  const { host } = new URL(url);
  try {
    const response = await fetch(url, { headers: headers(key), signal: AbortSignal.timeout(answerMs) });
    await response.body?.cancel();
    const isTaken = response.status < 400 || response.status === 429;
    const date = Date.parse(response.headers.get('date') ?? '');
    return [
      isTaken
        ? { text: `${host} takes ${variable}.` }
        : { text: `${host} rejects ${variable} (${response.status}).`, mend: `${variable}=   # a valid key` },
      ...(Number.isNaN(date) ? [] : [clockFinding(host, date)]),
    ];
  } catch (error) {
    return [{ text: `${host} cannot be reached: ${reason(error)}`, mend: `curl -v ${url}` }];
  }
}
