import { settingsPatterns } from '@parley/protocol/paths';
import type { FeedbackAnswer } from '@parley/protocol/settings/feedback';
import { Router } from 'express';
import { z } from 'zod';
import type { FeedbackRecord } from '../../store/store.ts';
import { parse } from '../parse.ts';
import { found } from './found.ts';
import { pageSchema } from './list.ts';
import type { SettingsDeps } from './settings-deps.ts';

const querySchema = z.strictObject({ ...pageSchema.shape, agentId: z.string().min(1).max(100) });

/** What visitors thought of an agent's turns. */
export function feedbackListRoutes({ store, admin }: SettingsDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(settingsPatterns.feedback, admin, async (request, response) => {
    const { agentId, cursor = null, limit } = parse(querySchema, { ...request.query });
    found(await store.settings.agents.get(agentId));
    const page = await store.feedback({ agentId, after: cursor, limit });
    response.json({ items: page.items.map(answer), next: page.next });
  });
  return router;
}

const answer = ({ at, ...feedback }: FeedbackRecord): FeedbackAnswer => ({
  ...feedback,
  at: new Date(at).toISOString(),
});
