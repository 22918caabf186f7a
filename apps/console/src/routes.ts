/** What stands for a part of a path that differs: an id of that kind, or a view of the inbox. */
const variables: Readonly<Record<string, RegExp>> = {
  ':agent': /^agent_/,
  ':connection': /^connection_/,
  ':contact': /^contact_/,
  ':tool': /^tool_/,
  ':webhook': /^webhook_/,
  ':conversation': /./,
  ':token': /./,
  ':view': /^(?:waiting|mine|unassigned|all)$/,
};

/** Every place of the console: what is not listed here is nowhere, and what is listed is looked at by the tests. */
export const routes: readonly string[] = [
  'account',
  'agents',
  'agents/new',
  'agents/:agent',
  'agents/:agent/history',
  'agents/:agent/knowledge',
  'agents/:agent/questions',
  'agents/:agent/visitors',
  'agents/:agent/website',
  'changes',
  'contacts',
  'contacts/board',
  'contacts/pipeline',
  'contacts/:contact',
  'conversations',
  'conversations/:conversation',
  'inbox',
  'inbox/settings',
  'inbox/:view',
  'inbox/:view/:conversation',
  'integrations',
  'integrations/channels/api',
  'integrations/connections/new',
  'integrations/connections/new-calendar',
  'integrations/connections/new-composio',
  'integrations/connections/new-mail',
  'integrations/connections/:connection',
  'integrations/webhooks',
  'integrations/webhooks/new',
  'integrations/webhooks/:webhook',
  'invitation/:token',
  'members',
  'start',
  'start/:agent',
  'tools',
  'tools/import',
  'tools/new',
  'tools/:tool',
  'usage',
];

/** The route that a path is one of; null where there is nothing. */
export function routeOf(path: readonly string[]): string | null {
  if (path.length === 0) return 'agents';
  const leadsTo = (route: string): boolean => {
    const parts = route.split('/');
    return (
      parts.length === path.length &&
      parts.every((part, index) => variables[part]?.test(path[index] ?? '') ?? part === path[index])
    );
  };
  return routes.find(leadsTo) ?? null;
}
