interface Snippet {
  readonly name: string;
  readonly where: string;
  readonly text: string;
}

/** How a page gets the widget of a key, in the ways that pages are made. */
export const snippets = (service: string, key: string): readonly Snippet[] => [
  {
    name: 'Script',
    where: 'Before </body> in every page, or wherever your site builder takes custom code.',
    text: `<script async src="${service}/v1/parley.js?key=${key}"></script>`,
  },
  {
    name: 'Iframe',
    where: 'Where the chat shall stand in a page.',
    text: `<iframe src="${service}/v1/frame?key=${key}" title="Chat" width="400" height="640" allow="clipboard-write"></iframe>`,
  },
  {
    name: 'npm',
    where: 'In a page with a bundler: npm install @parley/widget',
    text: `import { createWidget } from '@parley/widget';\n\ncreateWidget({ service: '${service}', key: '${key}' });`,
  },
  {
    name: 'React',
    where: 'In a React component: npm install @parley/widget',
    text: `import { ParleyChat } from '@parley/widget/react';\n\n<ParleyChat service="${service}" publishableKey="${key}" mode="bubble" />`,
  },
];
