import { expect, test } from '@playwright/test';
import { addTool, openToolEndpoint } from '../clients/tool-endpoint.ts';
import { createAgent, startServer } from '../server.ts';
import { Keyboard } from './keyboard.ts';

const password = 'correct horse battery';
const script = [
  { when: 'refund', steps: [{ call: 'refund', input: { order: 'B-4' } }, { say: 'It is on its way.' }] },
];

test('the keyboard alone signs in, publishes a greeting, approves and answers, and is never lost', async ({
  page,
  browser,
}) => {
  const tool = await openToolEndpoint();
  const service = await startServer({ environment: tool.environment });
  try {
    const agent = await createAgent(service, script, { approvalsBy: 'team' });
    const request = { method: 'POST', url: `${tool.url}/orders/{{order}}/refund` };
    await addTool(service, agent.agentId, 'refund', request, { approval: 'always' });
    const owner = await browser.newPage();
    await owner.goto(service.setupLink ?? '');
    await owner.getByLabel('Your name').fill('Zoe');
    await owner.getByLabel('Password').fill(password);
    await owner.getByRole('button', { name: 'Continue' }).click();
    await expect(owner.getByRole('heading', { name: 'Agents' })).toBeVisible();
    await owner.close();
    await fetch(`${service.url}/parley/v1/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent.publishableKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'I want a refund' }),
    });
    const keyboard = new Keyboard(page);
    const greeting = page.getByLabel('Greeting');
    const publish = page.getByRole('button', { name: 'Publish…' });
    const dialog = page.getByRole('dialog');

    await test.step('signs in and opens the agent', async () => {
      await page.goto(`${service.url}/console`);
      await keyboard.reach(page.getByLabel('Name'));
      await keyboard.type('Zoe');
      await keyboard.reach(page.getByLabel('Password'));
      await keyboard.type(password);
      await keyboard.press('Enter');
      await keyboard.reach(page.getByRole('link', { name: /^Ada/ }));
      await keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Ada' })).toBeFocused();
    });
    await test.step('changes the greeting and the theme', async () => {
      await keyboard.reach(greeting);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type('Good to see you!');
      const theme = page.getByLabel('Theme');
      await keyboard.reach(theme);
      await keyboard.press('ArrowDown');
      await expect(theme).toHaveValue('light');
      await keyboard.reach(page.getByRole('button', { name: 'Save draft' }));
      await keyboard.press('Space');
      await expect(page.getByText('Draft: 2 changes not published')).toBeVisible();
      await keyboard.expectFocus();
    });
    await test.step('publishes it, once after another thought', async () => {
      await keyboard.reach(publish, 'Shift+Tab');
      await keyboard.press('Enter');
      await expect(dialog).toBeVisible();
      await keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
      await expect(publish).toBeFocused();
      await keyboard.press('Enter');
      await keyboard.reach(dialog.getByRole('button', { name: 'Publish', exact: true }));
      await keyboard.press('Enter');
      await expect(page.getByText('Published: visitors have revision 2 now.')).toBeVisible();
      await keyboard.expectFocus();
    });
    await test.step('reads which keys there are in the inbox', async () => {
      await keyboard.reach(page.getByRole('link', { name: 'Inbox' }), 'Shift+Tab');
      await keyboard.press('Enter');
      await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeFocused();
      const keys = page.getByRole('button', { name: 'Keyboard' });
      await keyboard.reach(keys);
      await keyboard.press('Space');
      await expect(dialog).toBeVisible();
      await keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(keys).toBeFocused();
    });
    await test.step('approves what the agent wants to do', async () => {
      await keyboard.press('/');
      await keyboard.type('nobody said this');
      await expect(page.getByText('No conversation in “Waiting” has these words.')).toBeVisible();
      await keyboard.press('Escape');
      await keyboard.reach(page.getByRole('link', { name: /^I want a refund/ }));
      await keyboard.press('Enter');
      const hand = page.getByRole('button', { name: 'Hand to…' });
      await keyboard.reach(hand);
      await keyboard.press('Enter');
      await expect(dialog.getByRole('heading')).toBeVisible();
      await keyboard.press('Escape');
      await expect(dialog.getByRole('heading')).toBeHidden();
      await expect(hand).toBeFocused();
      await keyboard.reach(page.getByRole('button', { name: 'Approve', exact: true }));
      expect(tool.calls).toEqual([]);
      await keyboard.press('Enter');
      await expect(page.getByLabel('What was said')).toContainText('It is on its way.');
      expect(tool.calls).toEqual(['/orders/B-4/refund']);
      await keyboard.expectFocus();
    });
    await test.step('takes over and answers', async () => {
      await keyboard.press('t');
      const reply = page.getByLabel('Reply to the visitor');
      await expect(reply).toBeFocused();
      await keyboard.type('Zoe here. It is done.');
      await keyboard.press('Enter');
      await expect(page.getByLabel('What was said')).toContainText('Zoe here. It is done.');
      await keyboard.press('Escape');
      await expect(page.getByLabel('What was said')).toBeFocused();
      await keyboard.press('e');
      await expect(dialog.getByRole('heading', { name: 'Hand back to the agent?' })).toBeVisible();
      const handBack = dialog.getByRole('button', { name: 'Hand back' });
      // Once there is a summary to look over.
      await expect(handBack).toBeEnabled();
      await keyboard.reach(handBack);
      await keyboard.press('Enter');
      await expect(dialog.getByRole('heading', { name: 'Hand back to the agent?' })).toBeHidden();
      await keyboard.expectFocus();
    });
  } finally {
    await service.stop();
    tool.close();
  }
});
