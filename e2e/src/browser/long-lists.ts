import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { createAgent, type RunningServer, startServer } from '../server.ts';
import { multiplyRows } from './multiplied-rows.ts';
import { identitySecret, sign } from './visitor-token.ts';

export const rows = 10_000;
/** The addresses of the console's long lists. */
export const lists = ['#/conversations', '#/contacts', '#/changes'];
export const rowsPerPage = 50;

/** A service in that directory with so many conversations, contacts and changes, and an invitation to see them. */
export async function startLongLists(directory: string): Promise<{ service: RunningServer; token: string }> {
  const first = await startServer({ directory });
  const { tenantId, agentId, secretKey } = await createAgent(first, [{ steps: [{ say: 'At nine.' }] }], {
    identity: { secret: identitySecret },
  });
  const { token } = await first.settings<{ token: string }>('POST', '/invitations', {
    role: 'admin',
    tenantId,
  });
  const asked = await fetch(`${first.url}/parley/v1/session`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${secretKey}`,
      'content-type': 'application/json',
      'x-parley-visitor-token': sign('ada@example.com', agentId),
    },
    body: JSON.stringify({ message: 'When do you open?' }),
  });
  expect(asked.status).toBe(202);
  await expect
    .poll(async () => {
      const { items } = await first.settings<{ items: { turns: number; status: string }[] }>(
        'GET',
        `/conversations?tenantId=${tenantId}`,
      );
      return items;
    })
    .toMatchObject([{ turns: 1, status: 'open' }]);
  await first.stop();
  multiplyRows(join(directory, 'parley.db'), rows);
  return { service: await startServer({ directory }), token };
}

/** Takes the invitation, and waits for a console that shows none of its lists. */
export async function openConsole(page: Page, { url }: RunningServer, token: string): Promise<void> {
  await page.request.post(`${url}/api/v1/settings/invitations/accept`, {
    headers: { 'x-parley-console': '1' },
    data: { token, name: 'Grace', password: 'correct horse battery' },
  });
  await page.goto(`${url}/console#/nothing`);
  await expect(page.getByRole('heading', { name: 'This cannot be shown' })).toBeVisible();
}
