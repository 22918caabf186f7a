import { beforeAll, expect, test } from 'vitest';
import { asked, dataOf, said, type SharedService, sharedService } from '../../testing/visitor.ts';

const script = [
  { when: '^ask', steps: [{ call: 'ask_team', input: { question: 'Do we?' } }, { say: '{{result}}' }] },
  { when: '^refund', steps: [{ call: 'refund', input: { name: 'heron' } }, { say: '{{result}}' }] },
  { steps: [{ say: 'The agent: {{input}}' }] },
];
const tools = [{ name: 'refund', approval: 'always' }];
const everyDay = { from: '00:00', to: '24:00' };
const always = {
  timeZone: 'UTC',
  monday: everyDay,
  tuesday: everyDay,
  wednesday: everyDay,
  thursday: everyDay,
  friday: everyDay,
  saturday: everyDay,
  sunday: everyDay,
};
const never = { timeZone: 'UTC' };

let service: SharedService;
beforeAll(async () => {
  service = await sharedService();
});

/** A shop whose team is there at these hours. */
async function shop(hours: object, approvalsBy: string, awayMessage: string | null = null) {
  const agent = { teamQuestionMinutes: 30, approvalsBy };
  const { tenantId, visitor } = await service.agent(script, { agent, tools });
  const team = { replies: [], hours, awayMessage };
  expect((await service.settings('PATCH', `/tenants/${tenantId}`, { team })).status).toBe(200);
  return visitor;
}

test('outside of its hours the team is not asked, and the agent is told to say so', async () => {
  const log = await (await (await shop(never, 'team')).start('ask')).log(1);
  expect(dataOf(log, 'team.asked')).toEqual([]);
  expect(said(log)).toEqual([
    JSON.stringify({
      status: 'not-asked',
      reason: 'Nobody of the team is there at this time of the week. Tell the user so.',
    }),
  ]);
});

test('within its hours the team is asked', async () => {
  const log = await (await (await shop(always, 'team')).start('ask')).log(1);
  expect(dataOf(log, 'team.asked')).toHaveLength(1);
  expect(dataOf(log, 'team.away')).toEqual([]);
});

test('an approval of the team is asked for outside of its hours, and the visitor reads that it is', async () => {
  const log = await (await (await shop(never, 'team', 'Back on Monday.')).start('refund')).log(1);
  expect(asked(log)).toHaveLength(1);
  expect(dataOf(log, 'team.away')).toMatchObject([{ reason: 'hours', message: 'Back on Monday.' }]);
});

test('a visitor who may approve it themselves waits for nobody', async () => {
  const log = await (await (await shop(never, 'either')).start('refund')).log(1);
  expect(asked(log)).toHaveLength(1);
  expect(dataOf(log, 'team.away')).toEqual([]);
});
