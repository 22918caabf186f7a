import { chatRoutes } from './chat-routes.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { revisionRoutes } from './revision-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { websiteRoutes } from './website-routes.ts';
import { widgetRoutes } from './widget-routes.ts';

/** Every route of the service, in the order to match in: what is not here is not served. */
export const routes = (platform: string) =>
  [
    ...chatRoutes(platform),
    ...sessionRoutes(platform),
    ...memberRoutes,
    ...settingsRoutes,
    ...conversationRoutes,
    ...revisionRoutes,
    ...websiteRoutes,
    ...widgetRoutes,
    ...serviceRoutes,
  ] as const;

type TableRoute = ReturnType<typeof routes>[number];
export type RouteName = TableRoute['name'];
export type RouteNamed<Name extends RouteName> = Extract<TableRoute, { name: Name }>;
