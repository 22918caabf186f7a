import { execFile } from 'node:child_process';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { openModelEndpoint } from '../crash/model-endpoint.ts';
import { startServer } from '../server.ts';
import { codeOfApp } from './code-of-app.ts';
import { checkFocus, checkScreen, complaints } from './console-check.ts';
import { openSite } from './open-site.ts';
import { openThirtyPages } from '../thirty-pages.ts';

const password = 'correct horse battery';

/** Runs a program as somebody would who has copied it. */
async function runNode(program: string, environment: Record<string, string>): Promise<string> {
  const options = { env: { PATH: process.env['PATH'], ...environment } };
  return (await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options))
    .stdout;
}

const codeIn = (place: Locator | Page, name: string) => place.getByRole('region', { name }).innerText();

async function joinAs(browser: Browser, link: string, name: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Continue' }).click();
  return page;
}

test('each screen of the console does what it says, from an empty database', async ({
  page,
  browser,
  request,
}) => {
  test.setTimeout(600_000);
  const model = await openModelEndpoint(['We ', 'open ', 'at ', 'nine.'], 1);
  const harbour = await openThirtyPages();
  const service = await startServer({ environment: { EGRESS_ALLOW: `${model.address},${harbour.host}` } });
  const site = await openSite();
  const found = complaints(page);
  const preview = page.getByRole('region', { name: 'Preview' });
  let serverKey = '';
  try {
    await test.step('the setup link makes the owner', async () => {
      await page.goto(service.setupLink ?? '');
      await checkFocus(page);
      await page.getByLabel('Your name').fill('Ada');
      await page.getByLabel('Password').fill('short');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Password')).toBeFocused();
      await expect(page.getByLabel('Password')).toHaveAccessibleDescription(/at least 12 characters: a few/);
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Your website')).toBeVisible();
      await checkFocus(page);
    });

    await test.step('a website of thirty pages becomes an agent, and a page of it is looked at', async () => {
      await page.getByLabel('Your website').fill('nowhere');
      await page.getByRole('button', { name: 'Read it' }).click();
      await expect(page.getByText('Enter an address such as www.example.com.')).toBeVisible();
      await page.getByLabel('Your website').fill(harbour.origin);
      await page.getByRole('button', { name: 'Read it' }).click();
      await expect(page.getByText('30 pages of 127.0.0.1.')).toBeVisible();
      await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Harbour Cycles');
      await expect(page.getByLabel('Accent')).toHaveValue('#0f766e');
      await expect(page.getByLabel('Prompts')).toHaveValue(/^When are you open\?/);
      await preview.getByRole('button', { name: 'When are you open?' }).click();
      await expect(preview.getByRole('log')).toContainText('half past eight');
      await checkFocus(page);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('button', { name: 'WordPress' }).click();
      await expect(page.getByText(/paste this into Footer/)).toBeVisible();
      await page.getByRole('button', { name: 'Check my page' }).click();
      await expect(page.getByText('The page does not have the code.')).toBeVisible();
      harbour.pasted.html = await codeIn(page, 'Code for WordPress');
      harbour.pasted.policy = "default-src 'none'; connect-src https:; script-src 'self'";
      for (const line of [`script-src 'self' ${service.url}`, `connect-src https: ${service.url}`]) {
        await page.getByRole('button', { name: 'Check my page' }).click();
        await expect(page.getByRole('region', { name: 'What mends it' })).toHaveText(line);
        harbour.pasted.policy = `${line}; ${harbour.pasted.policy}`;
      }
      await page.getByRole('button', { name: 'Check my page' }).click();
      await expect(page.getByText('Harbour Cycles is on this page')).toBeVisible();
      await checkScreen(page);
    });

    await test.step('an agent is made, and a reload loses nothing but the key', async () => {
      await page.getByRole('link', { name: 'Agents' }).first().click();
      await page.getByRole('link', { name: 'New agent' }).click();
      await checkFocus(page);
      await page.getByRole('link', { name: 'Start without one' }).click();
      await page.getByRole('button', { name: 'Create agent' }).click();
      await expect(page.getByText('Give the agent a name.')).toBeVisible();
      await checkFocus(page);
      await page.getByLabel('Name').fill('Fern');
      await page.getByLabel('Instructions').fill('Be brief.');
      await page.getByLabel('Provider').selectOption({ label: 'OpenAI-compatible service' });
      await page.getByLabel('Model', { exact: true }).fill('paced');
      await page.getByLabel('Address').fill(model.url);
      await page.reload();
      await expect(page.getByLabel('Instructions')).toHaveValue('Be brief.');
      await expect(page.getByLabel('Address')).toHaveValue(model.url);
      await page.getByLabel('API key').fill('sk-of-the-provider');
      await page.getByRole('button', { name: 'Create agent' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Fern' })).toBeVisible();
    });

    await test.step('the widget itself stands beside the form, and answers', async () => {
      await preview.getByRole('textbox').fill('When do you open?');
      await preview.getByRole('textbox').press('Enter');
      await expect(preview.getByRole('log')).toContainText('We open at nine.');
      await checkFocus(page);
    });

    const door = page.getByRole('dialog', { name: 'Sign in' });
    const signInAgain = async () => {
      await door.getByLabel('Name').fill('ada');
      await door.getByLabel('Password').fill(password);
      await door.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(door).toHaveCount(0);
    };
    await test.step('what was entered outlives the session', async () => {
      await page.getByLabel('Greeting').fill('Hello from Fernhill!');
      await page.getByLabel('Accent').fill('#0f766e');
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByText('Your session has ended.')).toBeVisible();
      await checkFocus(page);
      await page.keyboard.press('Escape');
      await door.getByLabel('Name').fill('ada');
      await door.getByLabel('Password').fill('wrong horse battery');
      await door.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(door.getByRole('alert')).toHaveText('The name or the password is not right.');
      await signInAgain();
      await expect(page.getByLabel('Greeting')).toHaveValue('Hello from Fernhill!');
      await expect(page.getByRole('alert')).toHaveCount(0);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByText('Everything is saved in the draft.')).toBeVisible();
    });

    await test.step('the preview has the draft, and visitors get it when it is published', async () => {
      await expect(preview.getByText('Hello from Fernhill!')).toBeVisible();
      await expect(page.getByText('Draft: 2 changes not published')).toBeVisible();
      await page.getByRole('button', { name: 'Publish…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Publish 2 changes?' });
      await expect(dialog.getByRole('listitem').filter({ hasText: 'Greeting' })).toContainText(
        'Hi! How can I help?',
      );
      await checkFocus(page);
      await dialog.getByLabel('Note').fill('A greeting of our own');
      // A session may end before a dialog, too, which is there again behind the door.
      await page.context().clearCookies();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await signInAgain();
      await dialog.getByRole('button', { name: 'Publish', exact: true }).click();
      await expect(page.getByText('Published: visitors have revision 2 now.')).toBeVisible();
      await expect(page.getByText(/not published/)).toHaveCount(0);
    });

    await test.step('the code that is copied works on a page of another origin', async () => {
      await page.getByRole('link', { name: 'Add to your website' }).click();
      await page.getByLabel('Address of your website').fill('not an address');
      await page.getByRole('button', { name: 'Add address' }).click();
      await expect(page.getByText('Enter an address such as')).toBeVisible();
      await page.getByLabel('Address of your website').fill(`${site.origin}/shop?a=b`);
      await page.getByRole('button', { name: 'Add address' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: site.origin })).toBeVisible();
      await checkFocus(page);
      site.pasted.html = await codeIn(page, 'Code for Script');
      const shop = await page.context().newPage();
      await shop.goto(site.origin);
      await shop.getByRole('button', { name: /Fern/ }).click();
      await expect(shop.getByText('Hello from Fernhill!')).toBeVisible();
      await shop.getByRole('textbox').fill('When do you open?');
      await shop.getByRole('textbox').press('Enter');
      await expect(shop.getByRole('log')).toContainText('We open at nine.');
      await shop.close();
      expect(model.prompts.at(-1)?.[0]).toMatchObject({
        role: 'system',
        content: expect.stringContaining('Be brief.'),
      });
    });

    await test.step('a greeting that was published is rolled back, and an agent paused in words', async () => {
      await page.getByRole('link', { name: 'History' }).click();
      const first = page.getByRole('article', { name: 'Revision 1' });
      await expect(page.getByRole('article', { name: 'Revision 2 Live' })).toContainText(
        'A greeting of our own',
      );
      await first.getByRole('button', { name: 'Compare revision 1' }).press('Enter');
      await expect(first.getByRole('listitem').filter({ hasText: 'Greeting' })).toContainText(
        'Hello from Fernhill!',
      );
      await checkFocus(page);
      await first.getByRole('button', { name: 'Restore into the draft' }).click();
      await expect(page.getByText('Draft: 2 changes not published')).toBeVisible();
      await checkFocus(page);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      await expect(page.getByText(/not published/)).toHaveCount(0);
      await first.getByRole('button', { name: 'Publish again at once' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Publish again' }).click();
      await expect(page.getByRole('article', { name: 'Revision 3 Live' })).toContainText('Revision 1 again');
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByLabel('What visitors read meanwhile').fill('We are away until Monday.');
      await page.getByRole('button', { name: 'Save sentence' }).click();
      await expect(page.getByText('Visitors read it from now on.')).toBeVisible();
      await checkFocus(page);
      const visitor = await browser.newContext();
      const shop = await visitor.newPage();
      await shop.goto(site.origin);
      await shop.getByRole('button', { name: /Fern/ }).click();
      await expect(shop.getByRole('dialog').getByText('We are away until Monday.')).toBeVisible();
      await visitor.close();
      await page.getByRole('button', { name: 'Go live' }).click();
      await expect(page.getByText('Paused.')).toHaveCount(0);
    });

    await test.step('a server asks with a secret key, which is shown once and replaced', async () => {
      await page.getByRole('link', { name: 'Integrations' }).click();
      await checkFocus(page);
      await page.getByRole('link', { name: /^API/ }).click();
      await page.getByLabel('Agent').first().selectOption({ label: 'Fern' });
      await page.getByLabel('What it is for').first().fill('Help desk');
      await page.getByRole('button', { name: 'Create secret key' }).click();
      const card = page.getByRole('article', { name: 'Help desk' });
      const secret = await codeIn(card, 'Help desk');
      await checkFocus(page);
      const ask = (key: string) =>
        request.post(`${service.url}/api/v1/agent/chat`, {
          headers: { authorization: `Bearer ${key}` },
          data: { id: 'ticket-1', text: 'When do you open?' },
        });
      await card.getByRole('button', { name: 'Run it here' }).click();
      expect(await codeIn(card, 'Answer')).toContain('We open at nine.');
      expect(await codeIn(card, 'Request')).toContain(`Bearer ${secret}`);
      expect(await (await ask(secret)).json()).toMatchObject({ text: 'We open at nine.' });
      await card.getByRole('button', { name: 'Regenerate' }).click();
      await expect(page.getByRole('dialog')).toContainText('Every server that uses the key is refused');
      await checkFocus(page);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await card.getByRole('button', { name: 'Regenerate' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click();
      await expect(card.getByRole('region', { name: 'Help desk' })).not.toHaveText(secret);
      expect((await ask(secret)).status()).toBe(401);
      serverKey = await codeIn(card, 'Help desk');
      expect((await ask(serverKey)).status()).toBe(200);
      await expect(card).toContainText('not used yet');
      await page.reload();
      await expect(card).toContainText('last used');
      await expect(card.getByRole('region', { name: 'Help desk' })).toBeHidden();
    });

    await test.step('a colour that cannot be read is measured, and the nearest that can is proposed', async () => {
      await page.getByLabel('Widget of').selectOption({ label: 'Fern' });
      await page.getByLabel('Accent').fill('#fef08a');
      const contrast = page.getByRole('region', { name: 'Contrast' });
      await expect(contrast).toContainText('1.16:1 fails 1.4.11 Non-text Contrast, 3:1');
      await page.getByRole('button', { name: '375 px' }).click();
      await checkScreen(page);
      await contrast.getByRole('button', { name: /the nearest that passes/ }).click();
      await expect(contrast).toContainText('all of this passes WCAG 2.2');
      const accent = await page.getByLabel('Accent').inputValue();
      await expect(preview.locator('#preview > *').first()).toHaveCSS('--parley-accent', accent);
      expect((await preview.locator('#preview').boundingBox())?.width).toBe(375);
      await page.getByRole('button', { name: 'Undo' }).click();
    });

    await test.step('a visitor is who the server says, with the code that is copied', async () => {
      await page.getByRole('link', { name: 'Agents' }).first().click();
      await page.getByRole('link', { name: /^Fern/ }).click();
      await page.getByRole('link', { name: 'Visitors' }).click();
      await page.getByRole('button', { name: 'Make a secret' }).click();
      const secret = await codeIn(page, 'Secret');
      const program = `${await codeIn(page, 'Code for Node')}\nprocess.stdout.write(visitorToken(7));`;
      await checkScreen(page);
      const start = async (signedWith: string) =>
        request.post(`${service.url}/parley/v1/session`, {
          headers: {
            authorization: `Bearer ${serverKey}`,
            'x-parley-visitor-token': await runNode(program, { PARLEY_IDENTITY_SECRET: signedWith }),
          },
          data: { message: 'Hello' },
        });
      expect((await start(secret)).status()).toBe(202);
      expect((await start('another')).status()).toBe(401);
      await page.reload();
      await expect(page.getByText(`One ending in ${secret.slice(-4)} is set.`)).toBeVisible();
      await expect(page.getByRole('region', { name: 'Secret' })).toHaveCount(0);
    });

    await test.step('a budget is conversations, and the rest of the form goes into the draft', async () => {
      await page.getByRole('link', { name: 'Agent', exact: true }).click();
      await page.getByRole('button', { name: 'Budget and limits' }).click();
      await page.getByLabel('Tokens a day').fill('600000');
      await expect(
        page.getByText(/^600 thousand tokens are about \d+ conversations a day: if one/),
      ).toBeVisible();
      await page.getByLabel('Quote the knowledge when the model cannot answer').check();
      await page.getByLabel('Days after the last message').fill('0');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByLabel('Days after the last message')).toBeFocused();
      await page.getByLabel('Days after the last message').fill('7');
      await page.getByText('Limits against misuse').click();
      await page.getByRole('button', { name: 'Add field' }).click();
      await page.getByLabel('Another language').fill('de');
      await page.getByLabel('Another language').press('Enter');
      const german = page.getByRole('group', { name: 'German (de)' });
      await german.getByLabel('Greeting').fill('Hallo!');
      await page.getByRole('button', { name: 'Save draft' }).click();
      const asked = page.getByLabel('What visitors are asked');
      await expect(asked).toBeFocused();
      await asked.fill('Order number');
      await german.getByRole('button', { name: 'Translate it' }).click();
      await german.getByLabel('What visitors are asked').fill('Bestellnummer');
      await checkScreen(page);
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect(page.getByText('Draft: 6 changes not published')).toBeVisible();
      await expect(preview.getByLabel('Order number')).toBeVisible();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      await expect(page.getByLabel('Tokens a day')).toHaveValue('50000000');
    });

    await test.step('saved questions are answered by the draft beside what is live', async () => {
      await page.getByRole('link', { name: 'Questions', exact: true }).click();
      await page.getByLabel('What a visitor could ask').fill('When do you open?');
      await page.getByRole('button', { name: 'Save question' }).click();
      const asked = page.getByRole('article', { name: 'When do you open?' });
      await expect(asked).toBeVisible();
      const agentId = page.url().split('/').at(-2);
      const model = { provider: 'scripted', script: [{ steps: [{ say: 'At eight.' }] }] };
      await service.settings('PATCH', `/agents/${agentId}/draft`, { model });
      await page.reload();
      await page.getByRole('button', { name: 'Ask all' }).click();
      await expect(asked.getByRole('region', { name: /^Draft/ })).toContainText('At eight.');
      await expect(asked.getByRole('region', { name: /^Live/ })).toContainText('We open at nine.');
      await expect(asked.getByRole('list', { name: 'What the draft changes' })).toContainText(
        '2 words shorter',
      );
      await checkFocus(page);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
      await expect(page.getByText(/not published/)).toHaveCount(0);
    });

    await test.step('usage is counted, costs what is entered, and is taken along', async () => {
      await page.getByRole('link', { name: 'Usage' }).click();
      const turns = page.getByRole('figure', { name: 'Turns' });
      await expect(turns.getByRole('img', { name: /^Turns by day, \d at most/ })).toBeVisible();
      await turns.getByText('As a table').click();
      await expect(turns.getByRole('row').last()).toContainText(/\d{4}-\d\d-\d\d/);
      for (const name of ['Approvals', 'Unanswered questions'])
        await expect(page.getByRole('figure', { name })).toBeVisible();
      await page.getByLabel('Currency').fill('eur');
      await page.getByRole('group', { name: 'paced' }).getByLabel('For a million tokens read').fill('1000');
      await page.getByRole('button', { name: 'Save prices' }).click();
      await expect(page.getByText('Enter both prices, or neither.')).toBeVisible();
      await page
        .getByRole('group', { name: 'paced' })
        .getByLabel('For a million tokens written')
        .fill('2000');
      await page.getByRole('button', { name: 'Save prices' }).click();
      await expect(page.getByRole('figure', { name: 'Cost' })).toBeVisible();
      await checkFocus(page);
      const downloading = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download CSV' }).click();
      const csv = await readFile(await (await downloading).path(), 'utf8');
      expect(csv).toMatch(/\r\n\d{4}-\d\d-\d\d,agent_\w+,Fern,\d+,.*,EUR,/);
    });

    await test.step('a person takes over from the agent, answers, and hands back', async () => {
      const visitor = await browser.newContext();
      const shop = await visitor.newPage();
      await shop.goto(site.origin);
      await shop.getByRole('button', { name: /Fern/ }).click();
      const log = shop.getByRole('log');
      await shop.getByRole('textbox').fill('Can I speak to a person?');
      await shop.getByRole('textbox').press('Enter');
      await expect(log).toContainText('We open at nine.');
      await page.getByRole('link', { name: 'Inbox' }).click();
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Name').fill('Rental');
      await page.getByLabel('Reply').fill('Two bicycles are twenty a day.');
      await page.getByRole('button', { name: 'Add reply' }).click();
      await expect(page.getByRole('button', { name: 'Remove Rental' })).toBeVisible();
      await checkFocus(page);
      await page.getByRole('link', { name: 'Inbox' }).first().click();
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await page.getByRole('link', { name: /^Can I speak to a person\?/ }).click();
      await page.getByRole('button', { name: 'To the agent' }).click();
      await page.getByLabel('Line for the agent').fill('Be kind to them.');
      await page.getByLabel('Line for the agent').press('Enter');
      await expect(page.getByRole('region', { name: 'Notes' })).toContainText(
        'To the agent: Be kind to them.',
      );
      await page.getByRole('button', { name: 'Take over' }).click();
      const reply = page.getByLabel('Reply to the visitor');
      await expect(reply).toBeFocused();
      await reply.fill('Ada here. What can I do?');
      await reply.press('Enter');
      await expect(log).toContainText('Ada here. What can I do?');
      await expect(log.getByText('A person', { exact: true })).toBeVisible();
      await expect(shop.getByRole('dialog')).toContainText('Ada · A person');
      await shop.getByRole('textbox').fill('Do you rent bicycles?');
      await shop.getByRole('textbox').press('Enter');
      await expect(page.getByLabel('What was said')).toContainText('Do you rent bicycles?');
      await page.getByLabel('Put in a saved reply').selectOption('Rental');
      await expect(reply).toHaveValue('Two bicycles are twenty a day.');
      // What a member was writing is there again after a reload.
      await page.reload();
      await expect(reply).toHaveValue('Two bicycles are twenty a day.');
      await reply.press('Escape');
      await page.keyboard.press('n');
      await page.keyboard.type('Wants to rent');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Wants to rent');
      await checkFocus(page);
      await page.getByLabel('Note for the team').press('Escape');
      await page.keyboard.press('e');
      const dialog = page.getByRole('dialog', { name: 'Hand back to the agent?' });
      const proposed = 'Ada: Ada here. What can I do?\nVisitor: Do you rent bicycles?';
      await expect(dialog.getByRole('textbox')).toHaveValue(proposed);
      // What was typed is forgotten with the dialog.
      await dialog.getByRole('textbox').fill('Not this.');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.keyboard.press('e');
      await expect(dialog.getByRole('textbox')).toHaveValue(proposed);
      await dialog.getByRole('textbox').fill('They want to rent two.');
      await dialog.getByRole('button', { name: 'Hand back' }).click();
      await expect(shop.getByRole('dialog')).not.toContainText('A person ·');
      await expect(log.getByText('We open at nine.')).toHaveCount(2);
      const prompt = JSON.stringify(model.prompts.at(-1));
      expect(prompt).toContain('They want to rent two.');
      expect(prompt).toContain('Be kind to them.');
      expect(prompt).not.toContain('Wants to rent');
      await visitor.close();
    });

    await test.step('who has signed in is a contact, moves through the pipeline, and is erased', async () => {
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByRole('link', { name: /^7/ }).click();
      await page.getByLabel('Name', { exact: true }).fill('Grace');
      await page.getByRole('button', { name: 'Save contact' }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Grace' })).toBeVisible();
      await expect(page.getByRole('link', { name: /^Hello/ })).toBeVisible();
      await checkFocus(page);
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByLabel('Search').fill('nobody');
      await expect(page.getByText('No contact is like that.')).toBeVisible();
      await page.getByRole('link', { name: 'Edit pipeline' }).click();
      await page.getByLabel('New stage').fill('Regular');
      await page.getByRole('button', { name: 'Add stage' }).click();
      await page.getByRole('button', { name: 'Move Regular up' }).click();
      await expect(page.getByRole('button', { name: 'Move Regular up' })).toBeFocused();
      await checkFocus(page);
      await page.getByRole('link', { name: 'Contacts' }).first().click();
      await page.getByRole('link', { name: 'Pipeline', exact: true }).click();
      await page.getByLabel('Stage of Grace').selectOption('Regular');
      const column = page.getByRole('region', { name: 'Regular' });
      // The keyboard goes on with whom it moved.
      await expect(column.getByLabel('Stage of Grace')).toBeFocused();
      await checkFocus(page);
      await column.getByRole('link', { name: 'Grace' }).click();
      await page.getByRole('button', { name: 'Erase' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Erase everything' }).click();
      await expect(page.getByText('This receipt says nothing of the person.')).toBeVisible();
      await page.getByRole('link', { name: 'All contacts' }).click();
      // What was looked for is kept, as in every form.
      await expect(page.getByLabel('Search')).toHaveValue('nobody');
      await page.getByLabel('Search').fill('');
      await expect(page.getByText('Nobody has signed in yet')).toBeVisible();
    });

    await test.step('somebody is invited, reads, and changes nothing', async () => {
      await page.getByRole('link', { name: 'Members' }).click();
      await page.getByLabel('Role', { exact: true }).selectOption('viewer');
      await page.getByRole('button', { name: 'Make a link' }).click();
      await checkFocus(page);
      const grace = await joinAs(browser, await codeIn(page, 'Invitation'), 'Grace');
      await grace.getByRole('link', { name: /Fern/ }).click();
      await expect(grace.getByText('Your role reads settings.')).toBeVisible();
      await expect(grace.getByRole('button', { name: /Save|Delete|Pause|Publish/ })).toHaveCount(0);
      await expect(grace.getByRole('link', { name: 'Members' })).toHaveCount(0);
      await page.reload();
      await page.getByLabel('Role of Grace').selectOption('admin');
      await expect(page.getByText('Grace is Admin now.')).toBeAttached();
      await grace.reload();
      await expect(grace.getByRole('button', { name: 'Pause' })).toBeVisible();
      await page.getByRole('button', { name: 'Remove Grace' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
      await expect(page.getByRole('button', { name: 'Remove Grace' })).toHaveCount(0);
      await grace.reload();
      await expect(grace.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await grace.context().close();
    });

    await test.step('an agent without a model answers from what it is given, and says from what', async () => {
      await page.getByRole('link', { name: 'Agents' }).click();
      await page.getByRole('link', { name: 'New agent' }).click();
      await page.getByRole('link', { name: 'Start without one' }).click();
      await page.getByLabel('Name').fill('Guide');
      await page.getByRole('button', { name: 'Create agent' }).click();
      await page.getByRole('link', { name: 'Knowledge' }).click();
      await page.getByRole('button', { name: 'Add source' }).click();
      await expect(page.getByLabel('Address')).toBeFocused();
      await expect(page.getByText('Enter an address such as')).toBeVisible();
      await page.getByLabel('Kind').selectOption('faq');
      await page.getByLabel('Question').fill('When do you open?');
      await page.getByLabel('Answer').fill('At nine in the morning.');
      await page.getByRole('button', { name: 'Add source' }).click();
      await page.getByLabel('Choose files').setInputFiles([
        { name: 'scan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 and nothing else') },
        { name: 'garden.md', mimeType: '', buffer: Buffer.from('# The garden\n\nIt is closed in winter.') },
      ]);
      await expect(page.getByRole('alert')).toHaveText('scan.pdf: It could not be read: it is damaged.');
      await expect(page.getByRole('listitem').filter({ hasText: 'garden.md' })).toContainText(
        'File · 1 page',
      );
      const film = test.info().outputPath('film.pdf');
      await writeFile(film, '');
      await truncate(film, 500_000_000);
      await page.getByLabel('Choose files').setInputFiles(film);
      await expect(page.getByRole('alert')).toHaveText(
        'film.pdf: The file is larger than 20 MB. Send it in parts.',
      );
      const source = page.getByRole('listitem').filter({ hasText: 'When do you open?' });
      await expect(source).toContainText('1 passage');
      await checkFocus(page);
      await page.getByRole('link', { name: 'Agent', exact: true }).click();
      await preview.getByRole('textbox').fill('When do you open?');
      await preview.getByRole('textbox').press('Enter');
      await expect(preview.getByRole('log')).toContainText('At nine in the morning.');
      await preview.getByRole('textbox').fill('Are dogs welcome?');
      await preview.getByRole('textbox').press('Enter');
      await expect(preview.getByRole('log')).toContainText('I found nothing about that');
      // Once the answer has ended, it is known that it was none.
      await expect(preview.getByRole('button', { name: 'Answer again' })).toBeVisible();
      await page.getByRole('link', { name: 'Knowledge' }).click();
      await page.getByRole('button', { name: 'Answer this: Are dogs welcome?' }).click();
      await page.getByLabel('What they are told').fill('On a lead, always.');
      await checkFocus(page);
      await page.getByRole('button', { name: 'Save answer' }).click();
      await expect(page.getByRole('heading', { name: 'Questions without a source' })).toHaveCount(0);
      await expect(page.getByRole('listitem').filter({ hasText: 'Answered questions' })).toContainText(
        '1 passage',
      );
      await source.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click();
      await expect(source).toHaveCount(0);
    });

    await test.step('what was done is in the log, and a session ends from another one', async () => {
      await page.getByRole('link', { name: 'Change log' }).click();
      const saved = page.getByRole('listitem').filter({ hasText: 'Ada updated the agent Fern' });
      const greeting = saved.filter({ hasText: 'widget.greeting' }).first();
      await greeting.locator('summary').click();
      await expect(greeting.getByRole('row', { name: /widget.greeting/ })).toContainText(
        'Hello from Fernhill!',
      );
      await expect(page.getByText('sk-of-the-provider')).toHaveCount(0);
      await checkFocus(page);
      await page.getByRole('link', { name: 'Your account' }).click();
      // Those whose cookie was lost.
      for (const left of [1, 0]) {
        await page.getByRole('button', { name: 'End session' }).first().click();
        await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
        await expect(page.getByRole('button', { name: 'End session' })).toHaveCount(left);
      }
      await checkFocus(page);
      await page.getByRole('link', { name: 'Agents' }).click();
      await expect(page.getByRole('link', { name: /Fern/ })).toBeVisible();
      await checkFocus(page);
      await page.getByRole('link', { name: 'Your account' }).click();
      const other = await page.context().newPage();
      await other.goto(page.url());
      await expect(other.getByRole('button', { name: 'Sign out' })).toBeVisible();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
      await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      await expect(other.getByText('End session')).toHaveCount(0);
      await other.close();
    });
    await test.step('a passkey signs in by itself, and a password with the code of an app', async () => {
      const page = await (await browser.newContext()).newPage();
      const complained = complaints(page);
      const client = await page.context().newCDPSession(page);
      await client.send('WebAuthn.enable');
      await client.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          protocol: 'ctap2',
          transport: 'internal',
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
        },
      });
      // Passkeys belong to a name, and an IP address is none.
      await page.goto(`${service.url.replace('127.0.0.1', 'localhost')}/console#/account`);
      const signIn = async () => {
        await page.getByLabel('Name').fill('Ada');
        await page.getByLabel('Password').fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      };
      const signOut = async () => {
        await page.getByRole('button', { name: 'Sign out' }).click();
        await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      };
      await signIn();
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await page.getByLabel('Name of the passkey').fill('Laptop');
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toContainText('not used yet');
      await page.getByRole('button', { name: 'Set up an authenticator app' }).click();
      await page.getByLabel('Your password').fill(password);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
      await page.getByText('Or enter it by hand').click();
      await checkFocus(page);
      const key = await codeIn(page, 'Key for your authenticator app');
      await page.getByLabel('Code that the app shows').fill('000000');
      await page.getByRole('button', { name: 'Turn on' }).click();
      await expect(page.getByText('This is not the code that the app shows now.')).toBeVisible();
      await page.getByLabel('Code that the app shows').fill(codeOfApp(key));
      await page.getByRole('button', { name: 'Turn on' }).click();
      const [recoveryCode = ''] = (await codeIn(page, 'Recovery codes')).split('\n');
      await checkScreen(page);
      await page.getByRole('button', { name: 'I have kept them' }).click();
      await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
      await checkScreen(page);
      await signOut();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toContainText('last used');
      await signOut();
      await signIn();
      await page.getByRole('button', { name: 'Back' }).press('Enter');
      await expect(page.getByLabel('Name')).toBeFocused();
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByLabel('Code').fill('000000');
      await checkScreen(page);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByText('This code is not right, or was used already.')).toBeVisible();
      await page.getByLabel('Code').fill(recoveryCode);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(page.getByText('9 recovery codes are left.')).toBeVisible();
      await page.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove passkey' }).click();
      await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toHaveCount(0);
      await checkFocus(page);
      await signOut();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await expect(page.getByRole('alert')).toContainText('passkey');
      await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
      expect(complained).toEqual([]);
      await page.context().close();
    });
    expect(found).toEqual([]);
  } finally {
    site.close();
    harbour.close();
    await service.stop();
    model.close();
  }
});
