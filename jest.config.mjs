const transform = {
  '\\.(sql|css|svg|browser\\.js)$': '<rootDir>/tools/bootstrap/jest/text-transform.mjs',
  '^.+\\.(ts|mts)$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2023',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true },
        keepClassNames: true,
      },
      module: { type: 'es6' },
    },
  ],
};

export default {
  rootDir: '.',
  roots: ['<rootDir>/apps', '<rootDir>/libs', '<rootDir>/bench', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
  testEnvironment: '<rootDir>/tools/bootstrap/jest/environment.mjs',
  extensionsToTreatAsEsm: ['.ts', '.sql', '.css', '.svg'],
  transform,
  moduleNameMapper: {
    '^@stratalog/adapters-(.*)$': '<rootDir>/libs/adapters/$1/src/index.ts',
    '^@stratalog/stages-(.*)$': '<rootDir>/libs/stages/$1/src/index.ts',
    '^@stratalog/harness$': '<rootDir>/tools/harness/src/index.ts',
    '^@stratalog/docs$': '<rootDir>/tools/docs/src/index.ts',
    '^@stratalog/distributed$': '<rootDir>/tools/distributed/src/index.ts',
    '^@stratalog/local-stack$': '<rootDir>/tools/local-stack/src/index.ts',
    '^@stratalog/http/testing$': '<rootDir>/libs/http/src/testing/oidc-issuer.ts',
    '^@stratalog/api-docs/route-list$': '<rootDir>/libs/api-docs/src/route-list.ts',
    '^@stratalog/(.*)$': '<rootDir>/libs/$1/src/index.ts',
  },
  resolver: '<rootDir>/tools/bootstrap/jest/resolver.mjs',
  runner: '<rootDir>/tools/bootstrap/jest/runner.mjs',
  // Suites wait for servers and for time: two leave a quarter of two cores idle.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1GB',
  workerGracefulExitTimeout: 10_000,
  setupFiles: ['<rootDir>/tools/bootstrap/jest/not-run.mjs'],
  setupFilesAfterEnv: ['<rootDir>/tools/bootstrap/jest/limits.mjs'],
  reporters: [
    'default',
    '<rootDir>/tools/bootstrap/jest/progress.mjs',
    '<rootDir>/tools/bootstrap/jest/reporter.mjs',
  ],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};
