import { expect, test } from '@playwright/test';
import { openModelEndpoint } from '../crash/model-endpoint.ts';
import { startServer } from '../server.ts';
import { openThirtyPages } from '../thirty-pages.ts';
import { checkScreen, complaints } from './console-check.ts';

test('a key is sent to whom the screen names, and to nobody before', async ({ page }) => {
  const model = await openModelEndpoint(['We ', 'open ', 'at ', 'nine.'], 1);
  const harbour = await openThirtyPages();
  const service = await startServer({ environment: { EGRESS_ALLOW: `${model.address},${harbour.host}` } });
  const found = complaints(page);
  try {
    await page.goto(service.setupLink ?? '');
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('Your website').fill(harbour.origin);
    await page.getByRole('button', { name: 'Read it' }).click();
    await expect(page.getByText('30 pages of 127.0.0.1.')).toBeVisible();

    const [key, provider] = [page.getByLabel('API key'), page.getByLabel('Provider')];
    await key.fill('sk-ant-api03-abc');
    await expect(provider.locator('option:checked')).toHaveText('Anthropic');
    await expect(page.getByText('The key says that it is one of Anthropic.')).toBeVisible();

    const bodies: string[] = [];
    page.on('request', (request) => bodies.push(request.postData() ?? ''));
    await key.fill('sk-of-somebody');
    await expect(provider).toHaveValue('quoting');
    await page.getByRole('button', { name: 'Publish' }).click();
    await expect(page.getByText('Choose the provider that gave it to you.')).toBeVisible();
    await expect(provider).toBeFocused();
    // The prompts of a website that has just been read may be saved meanwhile.
    expect(bodies.filter((body) => /sk-of-somebody|"active"/.test(body))).toEqual([]);

    await provider.selectOption({ label: 'Another provider' });
    await page.getByRole('button', { name: 'Save and try' }).click();
    await expect(page.getByText('Enter the address of the service')).toBeVisible();
    await expect(page.getByText('Enter the name of the model.')).toBeVisible();
    await page.getByLabel('Address').fill(model.url);
    await page.getByLabel('Model', { exact: true }).fill('paced');
    await checkScreen(page);
    await page.getByRole('button', { name: 'Save and try' }).click();
    await expect(page.getByText('Answers are written by paced.')).toBeVisible();
    await expect(key).toHaveValue('');

    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('textbox').fill('When do you open?');
    await preview.getByRole('textbox').press('Enter');
    await expect(preview.getByRole('log')).toContainText('We open at nine.');
    expect(found).toEqual([]);
  } finally {
    await service.stop();
    harbour.close();
    model.close();
  }
});
