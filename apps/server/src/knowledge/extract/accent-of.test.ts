import { expect, test } from 'vitest';
import { accentOf } from './accent-of.ts';

const of = (css: string, declared: string[] = []) => accentOf({ declared, css });

test.each([
  ['what the page declares', of('a { color: #b91c1c }', ['#0f766e']), '#0f766e'],
  ['not a grey that it declares', of('a { color: #b91c1c }', ['#ffffff', '#111827']), '#b91c1c'],
  [
    'what the style sheets call its own',
    of(':root { --brand-color: #6d28d9 } a, b { color: #b91c1c }'),
    '#6d28d9',
  ],
  [
    'no property of another name',
    of(
      ':root { --brand-font: #6d28d9; --text-muted: #6d28d9 } a { color: #b91c1c; border-color: #b91c1c; fill: #b91c1c }',
    ),
    '#b91c1c',
  ],
  [
    'what is used most',
    of('a { color: #16a34a } b { color: #be185d } i { color: rgb(190, 24, 93) } u { color: #fff }'),
    '#be185d',
  ],
  ['hues by their angle', of('a { color: hsl(210deg 100% 30%) }'), '#004d99'],
  ['nothing see-through', of('a { color: rgba(255, 0, 0, 0.2) }'), null],
  ['nothing where all is grey', of('a { color: #333; background: #fafafa }'), null],
])('takes %s', (_, found, expected) => {
  expect(found).toBe(expected);
});

test('a colour that is lost on white is darkened until it is seen', () => {
  expect(of('', ['#ffd400'])).toBe('#a68a00');
});
