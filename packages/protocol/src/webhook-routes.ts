import { smallBounds } from './body-bounds.ts';
import { settingsPath } from './paths.ts';
import { jsonBody, jsonResponse, named, type Route } from './route.ts';
import { pageQuery } from './settings/page.ts';
import {
  deliveryDetailSchema,
  deliveryFilters,
  deliveryListSchema,
  replaySchema,
  replayViewSchema,
  webhookTestViewSchema,
  webhookViewSchema,
} from './settings/webhook.ts';

const changes = { tag: 'Settings', principal: 'settings', role: 'admin' } as const;
const problems = ['UNAUTHORIZED', 'FORBIDDEN', 'NOT_FOUND'] as const;
const webhook = `${settingsPath}/webhooks/:id`;
const delivery = named('Delivery', deliveryDetailSchema);

/** What is done with a webhook besides its settings: its secret, a test, and the log of what it was told. */
export const webhookRoutes = [
  {
    ...changes,
    name: 'rotateWebhookSecret',
    method: 'post',
    path: `${webhook}/rotate`,
    summary: 'Give a webhook another secret; for a day its requests are signed with the one before, too',
    responses: [jsonResponse(200, 'With the new `secret`.', named('Webhook', webhookViewSchema))],
    problems: [...problems, 'CONFLICT'],
  },
  {
    ...changes,
    name: 'testWebhook',
    method: 'post',
    path: `${webhook}/test`,
    summary: 'Send a webhook an event of the type `test`, once',
    responses: [jsonResponse(200, 'What it answered.', named('WebhookTestResult', webhookTestViewSchema))],
    problems: [...problems, 'QUOTA_EXCEEDED'],
  },
  {
    ...changes,
    name: 'listDeliveries',
    method: 'get',
    path: `${webhook}/deliveries`,
    summary: 'List what a webhook was told in the last 14 days, newest first',
    query: pageQuery(deliveryFilters),
    responses: [jsonResponse(200, 'One page.', named('DeliveryList', deliveryListSchema))],
    problems: ['BAD_REQUEST', ...problems],
  },
  {
    ...changes,
    name: 'readDelivery',
    method: 'get',
    path: `${webhook}/deliveries/:delivery`,
    summary: 'Read a delivery with its request',
    responses: [jsonResponse(200, 'As it is now.', delivery)],
    problems,
  },
  {
    ...changes,
    name: 'replayDelivery',
    method: 'post',
    path: `${webhook}/deliveries/:delivery/replay`,
    summary: 'Send a delivery that is over once more, with the same `webhook-id`',
    responses: [jsonResponse(200, 'As it is now.', delivery)],
    problems: [...problems, 'CONFLICT', 'QUOTA_EXCEEDED'],
  },
  {
    ...changes,
    name: 'replayFailedDeliveries',
    method: 'post',
    path: `${webhook}/replay`,
    summary: 'Send again what was given up since a time, oldest first, 1,000 at most',
    body: jsonBody('DeliveryReplay', replaySchema, smallBounds),
    responses: [jsonResponse(200, 'How many.', named('DeliveryReplayResult', replayViewSchema))],
    problems: [
      'BAD_REQUEST',
      ...problems,
      'CONFLICT',
      'TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'QUOTA_EXCEEDED',
    ],
  },
] as const satisfies readonly Route[];
