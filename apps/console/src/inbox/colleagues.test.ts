import { beforeEach, expect, test, vi } from 'vitest';

const asked: string[] = [];
let names: readonly string[] = [];
let isAway = false;

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  asked.length = 0;
  names = ['Ada'];
  isAway = false;
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      addEventListener() {}
    },
  );
  vi.stubGlobal('document', { hidden: false });
  vi.stubGlobal('fetch', async (url: string) => {
    const of = new URL(url, 'https://a.example').searchParams.get('tenantId');
    if (of !== null) asked.push(of);
    if (isAway) throw new TypeError('fetch failed');
    return Response.json({ items: names.map((name) => ({ id: name, name })), next: null });
  });
  return () => vi.useRealTimers();
});

const loaded = async () => {
  const [colleagues, { member }] = await Promise.all([import('./colleagues.ts'), import('../api/member.ts')]);
  const signIn = (id: string) => {
    member.value = { ...member.value!, id };
  };
  signIn('member_1');
  const namesOf = (tenantId: string) => colleagues.colleaguesOf(tenantId)?.map(({ name }) => name) ?? null;
  const { askForColleagues: ask, askUntilKnown, outdateColleagues: outdate } = colleagues;
  return { ask, askUntilKnown, outdate, namesOf, signIn };
};

test('colleagues are asked for once a minute, however many need them', async () => {
  const { ask, namesOf } = await loaded();
  expect(namesOf('t')).toBe(null);
  await Promise.all([ask('t'), ask('t')]);
  vi.advanceTimersByTime(59_000);
  await ask('t');
  expect([asked, namesOf('t')]).toEqual([['t'], ['Ada']]);
  names = ['Ada', 'Grace'];
  vi.advanceTimersByTime(1_000);
  await ask('t');
  expect([asked, namesOf('t')]).toEqual([
    ['t', 't'],
    ['Ada', 'Grace'],
  ]);
});

test('those of before stay where they cannot be read, and are asked for by whoever needs them next', async () => {
  const { ask, namesOf } = await loaded();
  await ask('t');
  vi.advanceTimersByTime(60_000);
  isAway = true;
  await ask('t');
  expect(namesOf('t')).toEqual(['Ada']);
  isAway = false;
  names = ['Grace'];
  await ask('t');
  expect(namesOf('t')).toEqual(['Grace']);
});

test('ten organisations are kept, and nothing for the next member', async () => {
  const { ask, namesOf, signIn } = await loaded();
  for (let index = 0; index < 10; index += 1) await ask(`t${index}`);
  await ask('t0');
  await ask('t10');
  expect(asked).toHaveLength(11);
  expect([namesOf('t0'), namesOf('t10'), namesOf('t1')]).toEqual([['Ada'], ['Ada'], null]);
  signIn('member_2');
  expect(namesOf('t0')).toBe(null);
});

test('after members were changed they are asked for anew', async () => {
  const { ask, outdate, namesOf } = await loaded();
  await ask('t');
  names = ['Ada', 'Grace'];
  const late = ask('u');
  outdate();
  await late;
  // What was asked before the change says nothing of after it.
  expect(namesOf('u')).toBe(null);
  await ask('t');
  expect(namesOf('t')).toEqual(['Ada', 'Grace']);
});

test('where the first read fails they are asked for until they are known, or nobody needs them', async () => {
  const { askUntilKnown, namesOf } = await loaded();
  isAway = true;
  const leave = askUntilKnown('t');
  const leaveOther = askUntilKnown('other');
  await vi.advanceTimersByTimeAsync(10_000);
  leaveOther();
  isAway = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(namesOf('t')).toEqual(['Ada']);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual(['t', 'other', 't', 'other', 't']);
  leave();
});
