import { approvalRoutes } from './approval-routes.ts';
import { calendarRoutes } from './calendar-routes.ts';
import { chatRoutes } from './chat-routes.ts';
import { contactRoutes } from './contact-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { inboxRoutes } from './inbox-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { revisionRoutes } from './revision-routes.ts';
import { secondFactorRoutes } from './second-factor-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';
import { websiteRoutes } from './website-routes.ts';
import { widgetRoutes } from './widget-routes.ts';

/** Every route of the service, in the order to match in: what is not here is not served. */
export const routes = (platform: string) =>
  [
    ...chatRoutes(platform),
    ...sessionRoutes(platform),
    ...memberRoutes,
    ...secondFactorRoutes,
    ...passkeyRoutes,
    ...settingsRoutes,
    ...conversationRoutes,
    ...inboxRoutes,
    ...contactRoutes,
    ...revisionRoutes,
    ...webhookRoutes,
    ...websiteRoutes,
    ...calendarRoutes(platform),
    ...signInRoutes(platform),
    ...approvalRoutes(platform),
    ...widgetRoutes,
    ...serviceRoutes,
  ] as const;

type TableRoute = ReturnType<typeof routes>[number];
export type RouteName = TableRoute['name'];
export type RouteNamed<Name extends RouteName> = Extract<TableRoute, { name: Name }>;
