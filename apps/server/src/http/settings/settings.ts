import type { Router } from 'express';
import type { Egress } from '../../egress/egress.ts';
import { agentRoutes } from './agents.ts';
import { feedbackListRoutes } from './feedback.ts';
import { keyRoutes } from './keys.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { tenantRoutes } from './tenants.ts';
import { toolRoutes } from './tools.ts';

/** The settings API. */
export function settingsRoutes(deps: SettingsDeps & { readonly egress: Pick<Egress, 'request'> }): Router[] {
  return [tenantRoutes(deps), agentRoutes(deps), keyRoutes(deps), toolRoutes(deps), feedbackListRoutes(deps)];
}
