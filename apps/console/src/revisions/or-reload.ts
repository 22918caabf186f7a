import { ApiError } from '../api/api-error.ts';

/** The answer to what is asked of a draft as it was seen. Where it is another one by now, that is shown first. Throws as `call`. */
export async function orReload<Answer>(asked: Promise<Answer>, reload: () => Promise<void>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) await reload();
    throw error;
  }
}
