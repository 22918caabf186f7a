import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { startServer } from '../server.ts';
import { checkFocus, checkScreen, complaints } from './console-check.ts';

/** A website of one page that says something else when it is told to. */
async function openPage() {
  const said = { text: '' };
  const server = createServer(({ url }, response) => {
    if (url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(
      `<!doctype html><html lang="en"><title>Workshop</title><main><h1>Workshop</h1><p>${said.text}</p></main></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return { origin: `http://${host}`, host, said, close: () => server.close() };
}

test('what an agent knows is entered, corrected and read again on its screen, beside what others change', async ({
  page,
}) => {
  test.setTimeout(600_000);
  const site = await openPage();
  site.said.text = 'A puncture in the workshop takes twenty minutes to mend.';
  const service = await startServer({ environment: { EGRESS_ALLOW: site.host } });
  const found = complaints(page);
  const preview = page.getByRole('region', { name: 'Preview' });
  const sources = page.getByRole('region', { name: 'Sources' });
  const row = (name: string) =>
    sources
      .locator('ul.rows > li')
      .filter({ has: page.locator('.row-name').getByText(name, { exact: true }) });
  const form = (name: string) => page.getByRole('form', { name: `Edit ${name}` });
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const save = (name: string) => form(name).getByRole('button', { name: 'Save' }).click();
  const isRead = (name: string) => expect(row(name)).toContainText(/\d+ pages?, \d+ passages?/);
  const settled = async (name: string) => {
    await isRead(name);
    await expect(row(name).locator('.badge')).toHaveCount(0, { timeout: 30_000 });
  };
  try {
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Zoe');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByLabel('Your website')).toBeVisible();
    const { id: tenantId } = await service.settings<{ id: string }>('POST', '/tenants', { name: 'Harbour' });
    const { id: agentId } = await service.settings<{ id: string }>('POST', '/agents', {
      tenantId,
      name: 'Ada',
      model: { provider: 'quoting', model: 'quoting' },
    });
    const knowledge = () => page.evaluate((id) => (location.hash = `#/agents/${id}/knowledge`), agentId);
    /** Asks the widget beside the form of the agent, and comes back. */
    const answers = async (question: string, answer: string) => {
      await page.evaluate((id) => (location.hash = `#/agents/${id}`), agentId);
      await preview.getByRole('textbox').fill(question);
      await preview.getByRole('textbox').press('Enter');
      await expect(preview.getByRole('log')).toContainText(answer);
      await knowledge();
    };
    const stored = async (name: string) => {
      const list = `/sources?agentId=${agentId}`;
      const { items } = await service.settings<{ items: Stored[] }>('GET', list);
      const one = items.find((each) => each.name === name);
      if (!one) throw new Error(`There is no source ${name}.`);
      return one;
    };
    await knowledge();
    await page.reload();

    await test.step('a text, a website and a question are entered', async () => {
      await page.getByLabel('Kind').selectOption('Text');
      await press('Add source');
      await expect(page.getByLabel('Title')).toBeFocused();
      await page.getByLabel('Title').fill('Rentals');
      await page.getByLabel('Text', { exact: true }).fill('A tandem is rented out for forty a day.');
      await press('Add source');
      await settled('Rentals');
      await page.getByLabel('Kind').selectOption('Website');
      await page.getByLabel('Address').fill(site.origin);
      await press('Add source');
      await settled('127.0.0.1');
      await page.getByLabel('Kind').selectOption('Question and answer');
      await page.getByLabel('Question').fill('Are dogs welcome?');
      await page.getByLabel('Answer').fill('Dogs are welcome on a lead.');
      await press('Add source');
      await settled('Are dogs welcome?');
      await answers('What does a tandem cost?', 'forty a day');
      await answers('How long does a puncture take?', 'twenty minutes');
      await answers('Are dogs welcome?', 'on a lead');
    });

    await test.step('a website is read again once its page has changed', async () => {
      site.said.text = 'A puncture in the workshop takes half an hour to mend.';
      await press('Read again: 127.0.0.1');
      await expect(page.getByRole('status').filter({ hasText: '127.0.0.1 is read again.' })).toBeAttached();
      await settled('127.0.0.1');
      await answers('How long does a puncture take?', 'half an hour');
    });

    await test.step('what is changed is taken back by Cancel, and outlives a reload', async () => {
      await press('Edit Rentals');
      const title = form('Rentals').getByLabel('Title');
      await expect(title).toBeFocused();
      await expect(form('Rentals').getByRole('button', { name: 'Save' })).toBeDisabled();
      await title.fill('Something else');
      await checkScreen(page);
      await form('Rentals').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('button', { name: 'Edit Rentals' })).toBeFocused();
      await press('Edit Rentals');
      await expect(title).toHaveValue('Rentals');
      await title.fill('');
      await save('Rentals');
      await expect(title).toBeFocused();
      await expect(title).toHaveAccessibleDescription(/Enter a title\./);
      await title.fill('What rents cost');
      await page.reload();
      await expect(title).toHaveValue('What rents cost');
      await title.press('Enter');
      await expect(page.getByRole('button', { name: 'Edit What rents cost' })).toBeFocused();
      await expect(
        page.getByRole('status').filter({ hasText: 'What rents cost was changed.' }),
      ).toBeAttached();
      await settled('What rents cost');
    });

    await test.step('an answer is corrected, and the agent gives the new one', async () => {
      await press('Edit Are dogs welcome?');
      const dogs = form('Are dogs welcome?');
      await expect(dogs.getByLabel('Question')).toBeFocused();
      await dogs.getByLabel('Question').fill('May dogs come in?');
      await expect(dogs.getByLabel('Name')).toHaveValue('May dogs come in?');
      await dogs.getByLabel('Answer').fill('Dogs wait outside, where there is water.');
      await checkScreen(page);
      await save('Are dogs welcome?');
      await checkFocus(page);
      await settled('May dogs come in?');
      await answers('May dogs come in?', 'where there is water');
    });

    await test.step('a website that is changed is read again', async () => {
      await press('Edit 127.0.0.1');
      const website = form('127.0.0.1');
      await website.getByLabel('Number of pages').fill('9000');
      await website.getByLabel('Name').fill('Our pages');
      await website.getByLabel('Language').fill('en');
      await save('127.0.0.1');
      await expect(website.getByLabel('Number of pages')).toHaveAccessibleDescription(/from 1 to 5,000/);
      await website.getByLabel('Number of pages').fill('200');
      site.said.text = 'A puncture in the workshop takes an hour to mend.';
      await checkScreen(page);
      await save('127.0.0.1');
      await expect(page.getByRole('status').filter({ hasText: 'and is read again' })).toBeAttached();
      await settled('Our pages');
      expect(await stored('Our pages')).toMatchObject({
        maxPages: 200,
        language: 'en',
        url: `${site.origin}/`,
      });
      await answers('How long does a puncture take?', 'takes an hour');
    });

    await test.step('of many questions one is corrected while others are answered by somebody else', async () => {
      const entries = Array.from({ length: 30 }, (_, place) => ({
        question: `How heavy is bicycle ${place}?`,
        answer: `It weighs ${place + 10} kilograms.`,
      }));
      const { id } = await service.settings<{ id: string }>('POST', '/sources', {
        agentId,
        kind: 'faq',
        name: 'Answered questions',
        entries,
      });
      await page.reload();
      await press('Edit Answered questions');
      const faq = form('Answered questions');
      await expect(faq.locator('summary')).toHaveCount(30);
      const unfold = (question: string) =>
        faq.locator('summary').filter({ hasText: question }).press('Enter');
      await faq.getByLabel('Find a question').fill('bicycle 17');
      await expect(faq.locator('summary')).toHaveCount(1);
      await unfold('How heavy is bicycle 17?');
      await faq.getByLabel('Answer').fill('It weighs nothing at all.');
      await faq.getByLabel('Find a question').fill('bicycle 3?');
      await unfold('How heavy is bicycle 3?');
      await faq.getByRole('button', { name: 'Remove question: How heavy is bicycle 3?' }).click();
      await checkFocus(page);
      await faq.getByRole('button', { name: 'Add question' }).click();
      await expect(faq.getByLabel('Question', { exact: true }).last()).toBeFocused();
      await save('Answered questions');
      await expect(faq.getByLabel('Question', { exact: true }).last()).toBeFocused();
      await faq.getByLabel('Question', { exact: true }).last().fill('Do you sell bells?');
      await faq.getByLabel('Answer').last().fill('Bells of brass.');
      await checkScreen(page);
      const given = {
        questionId: '0'.repeat(64),
        question: 'Do you sell locks?',
        answer: 'Three kinds of them.',
      };
      await service.settings('POST', `/agents/${agentId}/questions/answer`, given);
      await save('Answered questions');
      await settled('Answered questions');
      const { entries: after } = await stored('Answered questions');
      expect(after).toHaveLength(31);
      expect(after[16]?.answer).toBe('It weighs nothing at all.');
      expect(after.slice(-2).map(({ question }) => question)).toEqual([
        'Do you sell locks?',
        'Do you sell bells?',
      ]);
      expect(after.some(({ question }) => question === 'How heavy is bicycle 3?')).toBe(false);

      await press('Edit Answered questions');
      await unfold('How heavy is bicycle 0?');
      await faq.getByLabel('Answer').fill('Ten kilograms.');
      const theirs = after.with(0, { question: 'How heavy is bicycle 0?', answer: 'Eleven kilograms.' });
      await service.settings('PATCH', `/sources/${id}`, { entries: theirs });
      await save('Answered questions');
      await expect(faq.getByLabel('Answer')).toBeFocused();
      await expect(faq.getByLabel('Answer')).toHaveAccessibleDescription(/“Eleven kilograms\.” meanwhile/);
      expect((await stored('Answered questions')).entries[0]?.answer).toBe('Eleven kilograms.');
      await checkScreen(page);
      await save('Answered questions');
      await settled('Answered questions');
      expect((await stored('Answered questions')).entries[0]?.answer).toBe('Ten kilograms.');
      await answers('How heavy is bicycle 17?', 'nothing at all');
    });
    expect(found).toEqual([]);
  } finally {
    await service.stop();
    site.close();
  }
});

interface Stored {
  readonly name: string;
  readonly entries: readonly { readonly question: string; readonly answer: string }[];
}
