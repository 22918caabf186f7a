import type { OxlintConfig } from 'oxlint';

type Override = NonNullable<OxlintConfig['overrides']>[number];
type Refusal = { message: string; allowTypeImports?: true } & ({ group: string[] } | { regex: string });

const browserless: Refusal = {
  group: ['@parley/client', '@parley/client/*', '@parley/widget', '@parley/widget/*', 'preact', 'preact/*'],
  message: 'The server knows the protocol, never its clients.',
};
// Stands first where a group has exceptions: oxlint stops at the first exception that matches.
const otherPackageByPath: Refusal = {
  regex: String.raw`\.\./.*/src/`,
  message: 'Another package is imported by its name and listed in the manifest.',
};
/** Of the protocol, what is plain strings: a schema would bring zod along. */
const wireNames = ['paths', 'control-paths', 'file-paths', 'visitor-paths', 'session-headers'];
const egressOnly = 'src/egress is the only way out of the server.';
const wayOut: Refusal = {
  group: [
    'undici',
    'undici/*',
    'node:https',
    'node:http2',
    'node:tls',
    'http',
    'https',
    'http2',
    'net',
    'tls',
  ],
  message: egressOnly,
};
/** What may be imported from modules that can also connect. */
const listening = [
  { name: 'node:http', allowImportNames: ['createServer', 'STATUS_CODES'] },
  { name: 'node:net', allowImportNames: ['isIP', 'isIPv4', 'isIPv6'] },
].map((module) => ({ ...module, allowTypeImports: true, message: egressOnly }));
const express: Refusal = {
  group: ['express'],
  message: 'Only src/http and the composition root know Express.',
};

/** Refuses imports from neighbouring folders of the server, e.g. `store/(sqlite|postgres)`. */
function neighbours(folders: string, message: string): Refusal {
  return { regex: `^\\.\\.?/(.*/)?(${folders})`, message };
}

/**
 * What each folder of the server may not import, beyond what none of it may.
 * Every file matches one entry only: a later override replaces the rule of an earlier one.
 */
const serverFolders: Record<string, Refusal[]> = {
  http: [
    neighbours('store/(sqlite|postgres)', 'Routes call the domain; main.ts chooses the store.'),
    neighbours('model/(ai-sdk|scripted|providers)', 'Routes call the domain; main.ts chooses the model.'),
  ],
  turn: [
    express,
    neighbours('http/', 'A turn knows nothing of HTTP.'),
    neighbours('store/(sqlite|postgres)', 'A turn reaches the store through the session.'),
    neighbours('model/(ai-sdk|scripted|providers)', 'A turn drives model/model.ts; main.ts chooses one.'),
    neighbours('tool/(http|mcp)', 'A turn runs tool/tool.ts; main.ts chooses them.'),
  ],
  session: [
    express,
    neighbours('(http|turn|model|tool|settings|egress)/', 'A session knows the store and nothing above it.'),
    neighbours(
      'store/(sqlite|postgres)',
      'The session knows store/store.ts; main.ts chooses an implementation.',
    ),
  ],
  store: [express, neighbours('(http|turn|session|model|tool|settings|egress)/', 'A store knows no domain.')],
  model: [
    express,
    neighbours('(http|turn|session|store|settings)/', 'A model sees a prompt and tools only.'),
  ],
  tool: [express, neighbours('(http|turn|session|store|settings)/', 'A tool sees its arguments only.')],
  settings: [express, neighbours('http/', 'The domain knows nothing of HTTP.')],
  limit: [express, neighbours('(http|turn|session|model|tool)/', 'A limit counts; it knows nobody.')],
  secret: [express, neighbours('(http|turn|session|model|tool|settings)/', 'Secrets know nobody.')],
};

const inServer = 'apps/server/src';
const tests = ['**/*.test.ts', '**/*.test.tsx'];

const plugins: OxlintConfig['plugins'] = ['typescript', 'import', 'unicorn', 'oxc'];

export default {
  plugins,
  options: { typeAware: true },
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**'],
  rules: {
    'typescript/no-floating-promises': 'error',
    'typescript/no-explicit-any': 'error',
    'import/no-cycle': 'error',
  },
  overrides: [
    {
      files: ['packages/protocol/src/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              otherPackageByPath,
              { group: ['*', '!zod', '!./**', '!../**'], message: 'The protocol is zod and nothing else.' },
            ],
          },
        ],
      },
    },
    {
      files: ['packages/client/src/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              otherPackageByPath,
              {
                group: ['*', ...wireNames.map((name) => `!@parley/protocol/${name}`), '!./**', '!../**'],
                allowTypeImports: true,
                message: `The client ships no dependency: types and, of @parley/protocol, ${wireNames.join(', ')} only.`,
              },
            ],
          },
        ],
      },
    },
    {
      files: ['packages/widget/src/**', 'apps/console/src/**'],
      excludeFiles: tests,
      plugins: [...plugins, 'react'],
      rules: {
        'react/no-danger': 'error',
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              {
                group: ['zod', 'zod/*', '@parley/protocol/*', '!@parley/protocol/paths'],
                allowTypeImports: true,
                message: 'A schema weighs more than the widget: import its type.',
              },
              {
                group: ['node:*', '@parley/server', '@parley/server/*', 'react', 'react-dom'],
                message: 'Runs in a browser, on Preact.',
              },
              otherPackageByPath,
            ],
          },
        ],
        'no-restricted-properties': [
          'error',
          ...['innerHTML', 'outerHTML', 'insertAdjacentHTML', 'srcdoc'].map((property) => ({
            property,
            message: 'Text becomes vnodes; the widget has no HTML sink.',
          })),
        ],
      },
    },
    {
      files: ['apps/demo/src/**', 'e2e/src/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { regex: 'server/src/|^@parley/server', message: 'The demo and the tests use what is served.' },
              {
                group: ['@parley/widget', '@parley/widget/*'],
                message: 'The demo and the tests use what is served.',
              },
            ],
          },
        ],
      },
    },
    {
      files: [`${inServer}/**`],
      excludeFiles: [...tests, `${inServer}/egress/**`],
      rules: {
        'no-restricted-globals': [
          'error',
          ...['fetch', 'WebSocket', 'EventSource'].map((name) => ({ name, message: egressOnly })),
        ],
        'no-restricted-properties': [
          'error',
          { object: 'globalThis', property: 'fetch', message: egressOnly },
        ],
      },
    },
    {
      files: [`${inServer}/egress/**`],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              browserless,
              otherPackageByPath,
              express,
              neighbours(
                '(http|turn|session|store|model|tool|settings)/',
                'Egress serves everybody and knows nobody.',
              ),
            ],
          },
        ],
      },
    },
    {
      files: [`${inServer}/**`],
      excludeFiles: [
        ...tests,
        `${inServer}/egress/**`,
        ...Object.keys(serverFolders).map((folder) => `${inServer}/${folder}/**`),
      ],
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: listening, patterns: [browserless, otherPackageByPath, wayOut] },
        ],
      },
    },
    ...Object.entries(serverFolders).map(([folder, refusals]): Override => ({
      files: [`${inServer}/${folder}/**`],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: listening, patterns: [browserless, otherPackageByPath, wayOut, ...refusals] },
        ],
      },
    })),
  ],
} satisfies OxlintConfig;
