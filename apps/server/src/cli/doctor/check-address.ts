import type { Config } from '../../config.ts';
import { createEgress } from '../../egress/egress.ts';
import { destination } from '../destination.ts';
import { clockFinding } from './clock.ts';
import type { Finding } from './finding.ts';

const answerMs = 5_000;

/** Where browsers reach the service: whether it is there, and what a browser is told of https. */
export async function checkAddress({ publicUrl, trustProxy, host }: Config): Promise<Finding[]> {
  if (publicUrl === undefined) {
    if (/^(?:127\.|localhost$|::1$)/.test(host)) return [{ text: 'Only this machine reaches the service.' }];
    return [
      {
        text: 'Without PUBLIC_URL the addresses that the service gives out are those of this machine.',
        mend: 'PUBLIC_URL=https://chat.example.com',
      },
    ];
  }
  const findings: Finding[] = [];
  const isHttps = publicUrl.startsWith('https:');
  if (!isHttps)
    findings.push({
      text: 'PUBLIC_URL is no https address: pages of https cannot use it.',
      mend: `PUBLIC_URL=${publicUrl.replace('http:', 'https:')}`,
    });
  if (isHttps && trustProxy === 0)
    findings.push({
      text: 'Https ends at a proxy, whose address is then taken for that of every visitor.',
      mend: 'TRUST_PROXY=1',
    });
  const egress = createEgress({ allow: [destination(publicUrl)] });
  try {
    const response = await egress.fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(answerMs) });
    await response.body?.cancel();
    const has = (name: string) => response.headers.has(name);
    if (!has('x-request-id'))
      findings.push({
        text: `${publicUrl} is something else than Parley (${response.status}).`,
        mend: 'Pass every path of this address on to the service.',
      });
    else if (isHttps && !has('strict-transport-security'))
      findings.push({
        text: `${publicUrl} does not tell browsers to stay with https.`,
        mend: 'Let Strict-Transport-Security through the proxy.',
      });
    else findings.push({ text: `${publicUrl} leads to Parley.` });
    const date = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(date)) findings.push(clockFinding(publicUrl, date));
  } catch (error) {
    findings.push({
      text: `${publicUrl} does not answer: ${reason(error)}`,
      mend: `curl -v ${publicUrl}/healthz`,
    });
  } finally {
    await egress.close();
  }
  return findings;
}

/** What the network says, which `fetch` wraps. */
export function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
