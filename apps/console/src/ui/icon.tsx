const shapes = {
  agents: 'M5 6h14v10H10l-5 4zM9 10h6M9 13h3',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  contacts: 'M6 3h13v18H6zM4 8h3M4 12h3M4 16h3M12.5 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 16a3.5 3.5 0 0 1 7 0',
  conversations: 'M3 5h12v9H8l-4 3v-3H3zM18 9h3v9h-1v3l-4-3h-6v-1',
  usage: 'M4 20h16M7 16v-5M12 16V5M17 16v-8',
  tools:
    'M14.5 6.5a4 4 0 0 1 5-1.4L16.8 7.8l.4 2.6 2.6.4 2.7-2.7a4 4 0 0 1-6 4.6L8.6 20.6a2 2 0 0 1-3-3l7.9-7.9a4 4 0 0 1 1-3.2z',
  integrations: 'M9 7V3M15 7V3M7 7h10v5a5 5 0 0 1-10 0zM12 17v4',
  webhooks: 'M4 12h10M10 8l4 4-4 4M14 4h6v16h-6',
  members:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20a6 6 0 0 1 12 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6 6 0 0 1 3 5.5',
  changes: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4M12 8v4l3 2',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
} as const;
export type IconName = keyof typeof shapes;

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={shapes[name]} />
  </svg>
);
