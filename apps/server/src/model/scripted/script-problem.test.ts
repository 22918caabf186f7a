import { expect, test } from 'vitest';
import { scriptProblem } from './script-problem.ts';

test('a good script has no problem', () => {
  const steps = [{ say: '{{recall:my name is (\\w+)}} {{1}} {{input}}' }];
  expect(scriptProblem([{ when: 'colou?r', steps }, { steps: [{ say: 'no' }] }])).toBeUndefined();
});

test.each([
  [[{ steps: [{ say: 'ok' }] }, { when: '(unclosed', steps: [{ say: 'x' }] }], 'Rule 2: "(unclosed"'],
  [[{ when: 'a(?=b)', steps: [{ say: 'x' }] }], 'Rule 1: "a(?=b)"'],
  [[{ steps: [{ call: 'tool', input: { deep: ['{{recall:*}}'] } }] }], 'Rule 1: "*"'],
])('names the rule and the pattern of %j', (script, start) => {
  expect(scriptProblem(script)?.startsWith(start)).toBe(true);
});

test('a pattern that explodes elsewhere is matched in linear time', async () => {
  const { firstMatch } = await import('./pattern.ts');
  expect(firstMatch('^(a+)+$', `${'a'.repeat(20_000)}!`)).toBeNull();
});
