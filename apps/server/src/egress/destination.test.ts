import { expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { isPublicAddress } from './public-address.ts';

const names: Record<string, readonly string[]> = {
  'loopback.example.com': ['127.0.0.1'],
  'private.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.216.34', '192.168.0.1'],
  'mixed6.example.com': ['93.184.216.34', 'fd00::1'],
  'nowhere.example.com': [],
};

const egress = createEgress({
  allow: [],
  resolve: async (hostname) =>
    (names[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
});

const attempt = (url: string) =>
  egress.request({
    tenantId: 'a',
    method: 'GET',
    url,
    headers: {},
    timeoutMs: 30_000,
    signal: new AbortController().signal,
  });

test.each([
  ['http://127.0.0.1/', 'address'],
  ['http://127.0.0.1./', 'address'],
  ['http://2130706433/', 'address'],
  ['http://017700000001/', 'address'],
  ['http://0177.0.0.1/', 'address'],
  ['http://0x7f000001/', 'address'],
  ['http://0x7f.1/', 'address'],
  ['http://127.1/', 'address'],
  ['http://0/', 'address'],
  ['http://127.0.0.1:443/', 'address'],
  ['http://127%2e0%2e0%2e1/', 'address'],
  ['http://１２７.０.０.１/', 'address'],
  ['http://①②⑦.0.0.1/', 'address'],
  ['http://127。0。0。1/', 'address'],
  ['http:\\\\127.0.0.1\\', 'address'],
  ['http:127.0.0.1', 'address'],
  ['\thttp://127.0.\n0.1/', 'address'],
  ['http://example.com@127.0.0.1/', 'credentials'],
  ['http://127.0.0.1@example.com/', 'credentials'],
  ['http://:secret@example.com/', 'credentials'],
  ['http://example.com:80@127.0.0.1/', 'credentials'],
  ['http://127.0.0.1\\@example.com/', 'address'],
  ['http://127.0.0.1#@example.com/', 'address'],
  ['http://127.0.0.1?@example.com/', 'address'],
  ['http://0.0.0.0/', 'address'],
  ['http://10.0.0.1/', 'address'],
  ['http://100.64.0.1/', 'address'],
  ['http://100.100.100.200/', 'address'],
  ['http://168.63.129.16/', 'address'],
  ['http://169.254.169.254/latest/meta-data/', 'address'],
  ['http://172.16.0.1/', 'address'],
  ['http://172.31.255.255/', 'address'],
  ['http://192.0.0.192/', 'address'],
  ['http://192.168.1.1/', 'address'],
  ['http://198.18.0.1/', 'address'],
  ['http://198.51.100.1/', 'address'],
  ['http://203.0.113.1/', 'address'],
  ['http://224.0.0.1/', 'address'],
  ['http://255.255.255.255/', 'address'],
  ['http://[::]/', 'address'],
  ['http://[::1]/', 'address'],
  ['http://[0:0:0:0:0:0:0:1]/', 'address'],
  ['http://[::127.0.0.1]/', 'address'],
  ['http://[::ffff:127.0.0.1]/', 'address'],
  ['http://[::ffff:7f00:1]/', 'address'],
  ['http://[::ffff:8.8.8.8]/', 'address'],
  ['http://[::ffff:0:127.0.0.1]/', 'address'],
  ['http://[64:ff9b::127.0.0.1]/', 'address'],
  ['http://[64:ff9b:1::7f00:1]/', 'address'],
  ['http://[2002:7f00:1::]/', 'address'],
  ['http://[2001:0:7f00:1::]/', 'address'],
  ['http://[2001:db8::1]/', 'address'],
  ['http://[3fff::1]/', 'address'],
  ['http://[5f00::1]/', 'address'],
  ['http://[100::1]/', 'address'],
  ['http://[fc00::1]/', 'address'],
  ['http://[fd00:ec2::254]/', 'address'],
  ['http://[fe80::1]/', 'address'],
  ['http://[fec0::1]/', 'address'],
  ['http://[ff02::1]/', 'address'],
  ['http://localhost/', 'name'],
  ['http://LOCALHOST./', 'name'],
  ['http://ｌｏｃａｌｈｏｓｔ/', 'name'],
  ['http://a.localhost/', 'name'],
  ['http://printer.local/', 'name'],
  ['http://metadata.google.internal/', 'name'],
  ['http://metadata.google.internal./', 'name'],
  ['http://nas.home.arpa/', 'name'],
  ['http://redis/', 'name'],
  ['http://loopback.example.com/', 'address'],
  ['http://private.example.com/', 'address'],
  ['http://mixed.example.com/', 'address'],
  ['http://mixed6.example.com/', 'address'],
  ['http://nowhere.example.com/', 'unresolved'],
  ['http://example.com:22/', 'port'],
  ['http://example.com:6379/', 'port'],
  ['https://93.184.216.34:25/', 'port'],
  ['file:///etc/passwd', 'scheme'],
  ['ftp://example.com/', 'scheme'],
  ['gopher://example.com/', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['http://[fe80::1%25eth0]/', 'url'],
  ['http://256.1.1.1/', 'url'],
  ['http://', 'url'],
  ['//127.0.0.1/', 'url'],
])('%s is denied for its %s', async (url, reason) => {
  expect(await attempt(url)).toMatchObject({ outcome: 'denied', reason });
  await expect(egress.fetch(url)).rejects.toMatchObject({ name: 'EgressDeniedError', reason });
});

test.each([
  ['http://127.1/', '127.0.0.1:80'],
  ['https://[::1]/', '[::1]:443'],
  ['http://model.internal:11434/v1', 'model.internal:11434'],
  ['http://private.example.com:8080/', 'private.example.com:8080'],
])('an operator is told what opens %s, and that opens it', async (url, opens) => {
  const denied = await attempt(url);
  expect(denied).toMatchObject({ explanation: expect.stringContaining(`EGRESS_ALLOW=${opens};`) });
  const opened = createEgress({ allow: [opens], resolve: async () => [{ address: '10.1.2.3', family: 4 }] });
  expect(await opened.refusal(url)).toBeNull();
  await opened.close();
});

test.each([
  '8.8.8.8',
  '1.1.1.1',
  '93.184.216.34',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '2a00:1450:4001::8',
])('%s is public', (address) => {
  expect(isPublicAddress({ address, family: address.includes(':') ? 6 : 4 })).toBe(true);
});
