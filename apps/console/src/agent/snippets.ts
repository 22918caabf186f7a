interface Snippet {
  readonly name: string;
  readonly where: string;
  readonly text: string;
}

/** Where the builders of websites take code for every page. */
const builders = [
  {
    name: 'WordPress',
    where:
      'Install a plugin such as WPCode, open Code Snippets → Header & Footer, and paste this into Footer. With a block theme: Appearance → Editor → Footer, as a Custom HTML block.',
  },
  {
    name: 'Shopify',
    where: 'Online Store → Themes → ⋯ → Edit code → theme.liquid: paste this before </body>, and save.',
  },
  {
    name: 'Squarespace',
    where: 'Settings → Advanced → Code Injection → Footer. It takes a plan that includes code injection.',
  },
  {
    name: 'Wix',
    where:
      'Settings → Custom Code → Add Custom Code: all pages, at the end of the body. It takes a domain of your own.',
  },
  {
    name: 'Webflow',
    where: 'Site settings → Custom code → Footer code: paste this, save, and publish the site.',
  },
];

/** Whoever looked for it on a registry would install what somebody else has put there. */
const packaged =
  'The package is on no registry: packages/widget/README.md in the repository of the service says how to make and install it.';

const scriptTag = (service: string, key: string) =>
  `<script async src="${service}/v1/parley.js?key=${key}"></script>`;

/** How a page gets the widget of a key, in the ways that pages are made. */
export const snippets = (service: string, key: string): readonly Snippet[] => [
  {
    name: 'Script',
    where: 'Before </body> in every page.',
    text: scriptTag(service, key),
  },
  ...builders.map((builder) => ({ ...builder, text: scriptTag(service, key) })),
  {
    name: 'Iframe',
    where: 'Where the chat shall stand in a page.',
    text: `<iframe src="${service}/v1/frame?key=${key}" title="Chat" width="400" height="640" allow="clipboard-write"></iframe>`,
  },
  {
    name: 'npm',
    where: `In a page with a bundler. ${packaged}`,
    text: `import { createWidget } from '@parley/widget';\n\ncreateWidget({ service: '${service}', key: '${key}' });`,
  },
  {
    name: 'React',
    where: `In a React component. ${packaged}`,
    text: `import { ParleyChat } from '@parley/widget/react';\n\n<ParleyChat service="${service}" publishableKey="${key}" mode="bubble" />`,
  },
];
