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
const wireNames = [
  'paths',
  'control-paths',
  'file-paths',
  'visitor-paths',
  'session-headers',
  'visitor-token-header',
];
/** What only a page has: a conversation is given it. */
const pageGlobals = [
  // By these names everything else could be reached.
  'globalThis',
  'window',
  'self',
  'top',
  'parent',
  'frames',
  'document',
  'navigator',
  'location',
  'history',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'BroadcastChannel',
  'addEventListener',
  'removeEventListener',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'matchMedia',
  'performance',
  'alert',
  'confirm',
  'prompt',
  'Image',
  'Audio',
  'Notification',
  'Worker',
  'WebSocket',
  'EventSource',
  'XMLHttpRequest',
];
const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'];
const environmentOnly = 'It is handed in: environment.ts.';
const handedIn = (name: string) => ({ name, message: environmentOnly });
const oneDoor = 'A conversation has one door: @parley/conversation.';
/** What runs in a visitor's browser knows the conversation by its door, and of the protocol types. */
const browserImports: Refusal[] = [
  {
    group: [
      'zod',
      'zod/*',
      '@parley/protocol/*',
      '!@parley/protocol/bounds',
      '!@parley/protocol/paths',
      '!@parley/protocol/settings/credential-name',
      '!@parley/protocol/tool-text',
      '!@parley/protocol/escape-invisible',
      '!@parley/protocol/plain-name',
    ],
    allowTypeImports: true,
    message: 'A schema weighs more than the widget: import its type.',
  },
  {
    group: ['node:*', '@parley/server', '@parley/server/*', 'react', 'react-dom'],
    message: 'Runs in a browser, on Preact.',
  },
  {
    // Beside it stands what judges the words of a page that has none yet.
    group: ['@parley/conversation/*', '!@parley/conversation/page'],
    message: oneDoor,
  },
  otherPackageByPath,
];
/** What a view knows of the client is what can go wrong. */
const errorsOnly: Refusal = {
  group: ['@parley/client/*', '!@parley/client/error'],
  message: 'The conversation speaks with the service; of the client a view knows client/error.',
};
const entriesKnowAll = rooms('entries/', 'A feature does not know when it is loaded: entries/ does.');
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
  message: 'Only src/http, src/auth and the composition root know Express.',
};

const modelLayer: Refusal = {
  group: ['ai', 'ai/*', '@ai-sdk/*'],
  message: 'Only src/model knows the AI SDK; the message type of the others is model/message.ts.',
};

/** The client of servers of tools is a package of the SDK. */
const modelLayerOfTools: Refusal = { ...modelLayer, group: ['ai', 'ai/*', '@ai-sdk/*', '!@ai-sdk/mcp'] };

const wholeSdk: Refusal = {
  group: ['ai', 'ai/*'],
  message: 'The interface of the providers, @ai-sdk/provider, is all that the service takes of the AI SDK.',
};

/** Refuses imports from other rooms of the server, e.g. `store/(sqlite|postgres)`. */
function rooms(folders: string, message: string): Refusal {
  return { regex: `^(\\.\\./)+(${folders})`, message };
}

/**
 * What each room of the server may not import, beyond what none of it may.
 * Every file matches one entry only: a later override replaces the rule of an earlier one.
 */
const serverRooms: Record<string, Refusal[]> = {
  http: [
    rooms('store/(sqlite|postgres)', 'Routes call the domain; runtime.ts chooses the store.'),
    rooms('model/(ai-sdk|scripted/scripted|providers)', 'Routes call the domain; a turn drives the model.'),
    rooms('turn/', 'Routes call the session; it has its turns run.'),
  ],
  auth: [
    rooms(
      '(turn|events|model|tool|egress|jobs)/',
      'Authentication knows who asks, not what is done for them.',
    ),
    {
      ...rooms(
        'http/(middleware|body|connection|sessions|chat|files|settings|widget|reference)/',
        'Of http, authentication throws problems; it knows no route.',
      ),
      allowTypeImports: true,
    },
  ],
  turn: [
    express,
    rooms('(http|auth|jobs)/', 'A turn knows nothing of HTTP.'),
    rooms('store/(sqlite|postgres)', 'A turn reaches the store through the session.'),
    rooms('model/(ai-sdk|scripted|providers)', 'A turn drives model/model.ts; resolve-agent.ts makes one.'),
    {
      group: ['**/tool/**', '!**/tool/tool.ts', '!**/tool/source.ts', '!**/tool/schema/*'],
      message:
        'A turn knows tool/tool.ts and tool/source.ts; what kinds of tools there are is nothing to it.',
    },
  ],
  session: [
    express,
    rooms(
      '(http|auth|limit|turn|tool|settings|egress|jobs)/',
      'A session knows the log, the store and nothing above them.',
    ),
    {
      group: ['../**/model/*', '!../**/model/message.ts'],
      message: 'Of the model layer, a session stores its messages.',
    },
    rooms(
      'store/(sqlite|postgres)',
      'The session knows store/store.ts; runtime.ts chooses an implementation.',
    ),
  ],
  events: [
    express,
    rooms(
      '(http|auth|limit|session|turn|model|tool|settings|egress|jobs)/',
      'The log knows the store and nothing above it.',
    ),
    rooms('store/(sqlite|postgres)', 'The log knows store/store.ts; runtime.ts chooses an implementation.'),
  ],
  store: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|settings|egress|jobs)/',
      'A store knows no domain.',
    ),
  ],
  bus: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|settings|egress|jobs)/',
      'The bus knows what is said on it and nobody who listens.',
    ),
  ],
  model: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|store|settings|jobs)/',
      'A model sees a prompt and tools only.',
    ),
  ],
  tool: [
    express,
    rooms('(http|auth|limit|turn|session|events|store|settings|jobs)/', 'A tool sees its arguments only.'),
  ],
  knowledge: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|jobs)/',
      'Knowledge is read and searched; who asks is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'Knowledge knows store/knowledge-store.ts.'),
  ],
  search: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|settings|egress|jobs)/',
      'A search knows words and the store; who asks is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A search knows store/message-store.ts.'),
  ],
  mail: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|store|model|tool|settings|jobs)/',
      'Mail is handed over; who writes it is nothing to it.',
    ),
  ],
  approval: [
    express,
    rooms(
      '(http|auth|turn|events|model|tool|egress|jobs)/',
      'What waits for an approval is told and found; who asks and who answers is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'An approval knows store/store.ts.'),
  ],
  'ready-mail': [
    express,
    rooms(
      '(http|auth|turn|events|model|tool|egress|jobs)/',
      'A mail that somebody waits for looks at the session; who asks and who answers is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A mail that somebody waits for knows store/store.ts.'),
  ],
  calendar: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|egress|settings|jobs)/',
      'A calendar knows its appointments; who books is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A calendar knows store/appointment-store.ts.'),
  ],
  contact: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|egress|jobs)/',
      'A contact knows what is noted of it; who asks is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A contact knows store/contact-store.ts.'),
  ],
  composio: [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|sign-in|settings|jobs|store)/',
      'Composio is asked; what for is nothing to it.',
    ),
  ],
  'sign-in': [
    express,
    rooms(
      '(http|auth|limit|turn|session|events|model|tool|jobs)/',
      'A sign-in knows where it is for; what is done with it is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A sign-in knows store/settings-store.ts.'),
  ],
  webhook: [
    express,
    rooms(
      '(http|auth|limit|turn|session|model|tool|jobs)/',
      'A webhook is told what was stored; who does it is nothing to it.',
    ),
    rooms('store/(sqlite|postgres)', 'A webhook knows store/webhook-store.ts.'),
  ],
  settings: [express, rooms('(http|turn|session|events|jobs)/', 'The domain knows nothing of HTTP.')],
  limit: [
    express,
    rooms('(http|turn|events|model|tool|egress|jobs)/', 'A limit says how much; it knows no route.'),
  ],
  jobs: [express, rooms('(http|auth|turn)/', 'A job calls the domain.')],
  crypto: [
    express,
    rooms('(http|auth|limit|turn|session|events|model|tool|settings|egress|jobs)/', 'Secrets know nobody.'),
  ],
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
    'import/no-cycle': ['error', { ignoreTypes: false }],
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
      files: ['packages/conversation/src/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              otherPackageByPath,
              {
                regex: '^@parley/protocol',
                allowTypeImports: true,
                message: 'A schema weighs more than a conversation: import its type.',
              },
              {
                group: [
                  '*',
                  '!@parley/client/*',
                  '!@parley/protocol/**',
                  '!@preact/signals-core',
                  '!./**',
                  '!../**',
                ],
                message: 'A conversation knows the client and signals, and nobody who shows it.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['packages/conversation/src/**'],
      excludeFiles: [...tests, 'packages/conversation/src/environment.ts'],
      rules: {
        'no-restricted-globals': ['error', ...[...pageGlobals, ...timers].map(handedIn)],
        'no-restricted-properties': ['error', { object: 'Date', property: 'now', message: environmentOnly }],
      },
    },
    {
      files: ['packages/conversation/src/environment.ts'],
      rules: { 'no-restricted-globals': ['error', ...pageGlobals.map(handedIn)] },
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
            patterns: browserImports,
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
      files: ['packages/widget/src/**'],
      // The panel loads the others.
      excludeFiles: [...tests, 'packages/widget/src/entries/**', 'packages/widget/src/shell/mount.tsx'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [...browserImports, errorsOnly, entriesKnowAll],
          },
        ],
      },
    },
    {
      files: ['packages/widget/src/ui/**', 'packages/widget/src/i18n/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              ...browserImports,
              errorsOnly,
              rooms(
                '(attachments|composer|entries|history|host|loader|menu|parts|pre-chat|ready-mail|shell|thread|transfer)/',
                'Every feature may use ui/ and i18n/, which know none.',
              ),
            ],
          },
        ],
      },
    },
    {
      files: ['apps/console/src/**'],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              ...browserImports.filter(({ message }) => message !== oneDoor),
              {
                // It has no conversation of its own, and shows what was said in others.
                group: ['@parley/conversation/*', '!@parley/conversation/transcript'],
                message: oneDoor,
              },
            ],
          },
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
              modelLayer,
              rooms(
                '(http|auth|limit|turn|session|events|store|model|tool|settings|jobs)/',
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
        ...Object.keys(serverRooms).map((folder) => `${inServer}/${folder}/**`),
        // The network that fails, between a test and its database.
        `${inServer}/testing/tcp-proxy.ts`,
      ],
      rules: {
        'no-restricted-imports': [
          'error',
          { paths: listening, patterns: [browserless, otherPackageByPath, wayOut, modelLayer] },
        ],
      },
    },
    ...Object.entries(serverRooms).map(([folder, refusals]): Override => ({
      files: [`${inServer}/${folder}/**`],
      excludeFiles: tests,
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: listening,
            patterns: [
              browserless,
              otherPackageByPath,
              wayOut,
              folder === 'model' ? wholeSdk : folder === 'tool' ? modelLayerOfTools : modelLayer,
              ...refusals,
            ],
          },
        ],
      },
    })),
    {
      files: tests.map((test) => `${inServer}/${test}`),
      excludeFiles: [`${inServer}/model/**`],
      rules: { 'no-restricted-imports': ['error', { patterns: [modelLayer] }] },
    },
    {
      files: [`${inServer}/http/**`],
      excludeFiles: [...tests, `${inServer}/http/app.ts`, `${inServer}/http/mount.ts`],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: listening,
            patterns: [
              browserless,
              otherPackageByPath,
              wayOut,
              modelLayer,
              {
                ...express,
                allowTypeImports: true,
                message: 'http/mount.ts serves the routes of the table; nothing else makes a router.',
              },
              ...(serverRooms['http'] ?? []),
            ],
          },
        ],
      },
    },
  ],
} satisfies OxlintConfig;
