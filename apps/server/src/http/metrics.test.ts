import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { provision, request, testService } from '../testing/test-service.ts';

const token = 'm'.repeat(32);

/** The samples by their names with labels. */
async function read(url: string): Promise<Record<string, number>> {
  const { status, headers, body } = await request(`${url}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = String(body).trimEnd().split('\n');
  for (const line of lines)
    expect(line).toMatch(/^# (?:HELP|TYPE) \w+ .+$|^\w+(?:\{\w+="[^"]*"\})? [\d.e+-]+$/);
  return Object.fromEntries(
    lines
      .filter((line) => !line.startsWith('#'))
      .map((line) => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]),
  );
}

test('whoever has the token of the metrics reads what was counted, and nobody else anything', async () => {
  const service = await testService({ METRICS_TOKEN: token });
  const { tenantId, agentId } = await provision(service);
  const fails = [{ when: 'fail', steps: [{ fail: 'boom' }] }, { steps: [{ say: '{{input}}' }] }];
  await service.settings('PATCH', `/agents/${agentId}`, { model: { provider: 'scripted', script: fails } });
  const { key } = (await service.settings('POST', '/keys', { tenantId, agentId, kind: 'secret' })).body;
  for (const text of ['hello', 'again', 'fail'])
    await service.call('/api/v1/agent/chat', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: text, text }),
    });
  const seen = await read(service.url);
  expect(seen).toMatchObject({
    'parley_turns_total{status="completed"}': 2,
    'parley_turns_total{status="failed"}': 1,
    'parley_turns_total{status="cancelled"}': 0,
    parley_turn_first_delta_seconds_count: 2,
    'parley_turn_seconds_bucket{le="+Inf"}': 3,
    parley_turn_seconds_count: 3,
    parley_streams_open: 0,
    parley_connections_dropped_total: 0,
  });
  const causes = Object.entries(seen).filter(([name]) => name.startsWith('parley_model_errors_total'));
  expect(causes.reduce((sum, [, count]) => sum + count, 0)).toBe(1);
  for (const name of ['parley_connections_accepted_total', 'process_resident_memory_bytes'])
    expect(seen[name], name).toBeGreaterThan(0);
  const dashboard = readFileSync(join(import.meta.dirname, '../../deploy/grafana-dashboard.json'), 'utf8');
  const emitted = new Set(Object.keys(seen).map((name) => name.replace(/\{.*/, '')));
  const shown: readonly string[] = dashboard.match(/\b(?:parley|process|nodejs)_\w+/g) ?? [];
  expect(shown.filter((name) => !emitted.has(name))).toEqual([]);
  expect([...emitted].filter((name) => !/_(?:count|sum)$/.test(name) && !shown.includes(name))).toEqual([]);
  for (const authorization of ['', `Bearer ${service.adminToken}`])
    expect((await service.call('/metrics', { headers: { authorization } })).status).toBe(401);
});

test('without a token there are no metrics', async () => {
  const service = await testService();
  expect((await service.call('/metrics', { headers: { authorization: `Bearer ${token}` } })).status).toBe(
    404,
  );
});
