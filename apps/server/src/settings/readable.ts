import { SettingsError } from './settings-error.ts';
import { UnreadableRecordError } from './unreadable-record-error.ts';

/** What was read of one record, or an error that tells whoever asked for it why it cannot be read. */
export async function readable<Read>(read: () => Read | Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnreadableRecordError) throw new SettingsError('unreadable', error.message);
    throw error;
  }
}
