/** The order in which the pages are listed and read. A page is `apps/server/docs/<slug>.md` or is generated. */
export const contents = [
  { group: 'Begin', slugs: ['', 'quickstart', 'embed', 'how-it-works'] },
  {
    group: 'Call it from a server',
    slugs: ['curl', 'node', 'python', 'use-chat', 'sessions', 'eve-client'],
  },
  {
    group: 'What an agent can do',
    slugs: [
      'visitors',
      'contacts',
      'inbox',
      'tools',
      'approvals',
      'files',
      'knowledge',
      'models',
      'webhooks',
    ],
  },
  { group: 'Run it', slugs: ['run', 'deploy', 'secure', 'back-up', 'chatkit'] },
  {
    group: 'Reference',
    slugs: ['reference-chat', 'reference-sessions', 'reference-settings', 'reference-service', 'errors'],
  },
] as const;

export const docsUrl = (slug: string): string => (slug === '' ? '/docs' : `/docs/${slug}`);
