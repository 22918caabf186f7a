import { expect, type Page } from '@playwright/test';
import { picture } from './picture.ts';

export type Attachment = { name: string; mimeType: string; buffer: Buffer };

export const photo: Attachment = { name: 'hills.png', mimeType: 'image/png', buffer: picture(480, 320) };
export const invoice: Attachment = {
  name: 'invoice.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n%an invoice\n'.padEnd(48_000, ' ')),
};
export const film: Attachment = { name: 'clip.mp4', mimeType: 'video/mp4', buffer: Buffer.from('film') };

/** Picks files as a visitor does: with the button, in the browser's own dialogue. */
export async function attach(page: Page, ...files: Attachment[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await choosing).setFiles(files);
  await expect(page.locator('.composer').getByText(files.at(-1)!.name).last()).toBeVisible();
}

/** Pastes or drops files, as soon as the panel takes them: the browser gives no other way to do it from outside. */
export async function hand(
  page: Page,
  how: 'paste' | 'drop' | 'dragover',
  ...files: Attachment[]
): Promise<void> {
  const carried = files.map(({ name, mimeType, buffer }) => ({
    name,
    mimeType,
    bytes: buffer.toString('base64'),
  }));
  const field = page.getByRole('textbox', { name: 'Message', exact: true });
  const isLeftToThePage = () =>
    field.evaluate(
      (element, [event, all]) => {
        const carrier = new DataTransfer();
        for (const { name, mimeType, bytes } of all) {
          const content = Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
          carrier.items.add(new File([content], name, { type: mimeType }));
        }
        const options = { bubbles: true, cancelable: true, composed: true };
        return element.dispatchEvent(
          event === 'paste'
            ? new ClipboardEvent(event, { ...options, clipboardData: carrier })
            : new DragEvent(event, { ...options, dataTransfer: carrier }),
        );
      },
      [how, carried] as const,
    );
  await expect.poll(isLeftToThePage).toBe(false);
}
