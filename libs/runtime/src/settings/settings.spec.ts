import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { SETTINGS, parseSettings, unknownSettings } from './settings';

const MODELS = ['/a', '/b'].join(process.platform === 'win32' ? ';' : ':');

describe('parseSettings', () => {
  it('describes a catalog on this machine when nothing is set', () => {
    expect(parseSettings({})).toEqual({
      profile: 'embedded',
      host: '127.0.0.1',
      drainMs: 0,
      port: 8080,
      corsOrigins: [],
      appUrls: { ingest: [], query: [], graph: [], admin: [] },
      dataDir: resolve('.stratalog'),
      databasePoolSize: 12,
      serverHangMs: 60_000,
      taskKeepMs: 30 * 86_400_000,
      auditKeepMs: 365 * 86_400_000,
      trustedProxies: [],
      policyMode: 'off',
      assistantWrites: 'off',
      limits: { readsPerSecond: 0, writesPerSecond: 0, maxFailedTokens: 10 },
      modelFolders: [],
      unknownAspects: 'dead-letter',
      urnExistence: 'off',
      popularity: { strength: 'off', everyMs: 86_400_000 },
      testResults: { mode: 'on-request', everyMs: 86_400_000 },
      isStrict: false,
      sdkWrites: 'openapi',
      auth: 'operations',
      partitions: 16,
      maxBodyBytes: 16 * 1024 * 1024,
      commitTimeoutMs: 10_000,
      positionTimeoutMs: 10_000,
      queryTimeoutMs: 20_000,
      graphqlMaxReads: 20_000,
      retention: { fallback: { maxVersions: 100, maxAgeMs: 7_776_000_000 }, everyMs: 3_600_000 },
      maxClockStepMs: 3_600_000,
      maxIdleMs: 2_592_000_000,
      indexCheckMs: 3_600_000,
      vendor: 'linkedin',
      urnNamespace: 'li',
      logLevel: 'info',
      accessLog: false,
    });
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(SETTINGS.map(({ name }) => [name, '']));
    expect(parseSettings(empty)).toEqual(parseSettings({}));
  });

  it('reads every setting', () => {
    expect(
      parseSettings({
        STRATALOG_PROFILE: 'embedded',
        STRATALOG_HOST: '::1',
        STRATALOG_PORT: '0',
        STRATALOG_METRICS_PORT: '9100',
        STRATALOG_BASE_URL: 'https://catalog.example',
        STRATALOG_CORS_ORIGINS: 'https://Docs.example,http://localhost:3000',
        STRATALOG_INGEST_URLS: 'http://a:1,http://b:2',
        STRATALOG_DATA_DIR: '/data',
        DATABASE_URL: 'postgresql://u:p@h/d',
        DATABASE_POOL_SIZE: '4',
        STRATALOG_SERVER_HANG_MS: '1000',
        STRATALOG_MODELS: MODELS,
        STRATALOG_UNKNOWN_ASPECTS: 'drop',
        STRATALOG_URN_EXISTENCE: 'reject',
        STRATALOG_POPULARITY: 'weak',
        STRATALOG_TEST_RESULTS: 'continuous',
        STRATALOG_TEST_RESULTS_EVERY_SECONDS: '3600',
        STRATALOG_POPULARITY_EVERY_SECONDS: '60',
        STRATALOG_STRICT: 'true',
        STRATALOG_SDK_WRITES: 'restli',
        STRATALOG_ACCEPT_MODEL: '0123456789ab',
        STRATALOG_AUTH: 'all',
        STRATALOG_POLICIES: 'on',
        STRATALOG_MCP_WRITES: 'on',
        STRATALOG_TRUSTED_PROXIES: '10.0.0.1,loopback',
        STRATALOG_PROXY_USER_HEADER: 'X-Remote-User',
        STRATALOG_PROXY_USER_SCOPES: 'write,read',
        STRATALOG_TOKEN: 'x'.repeat(16),
        STRATALOG_PARTITIONS: '1',
        STRATALOG_MAX_BODY_BYTES: '1024',
        STRATALOG_COMMIT_TIMEOUT_MS: '10',
        STRATALOG_POSITION_TIMEOUT_MS: '600000',
        STRATALOG_QUERY_TIMEOUT_MS: '50000',
        STRATALOG_GRAPHQL_MAX_READS: '100',
        STRATALOG_RETENTION_MAX_VERSIONS: '0',
        STRATALOG_RETENTION_MAX_AGE_SECONDS: '1',
        STRATALOG_RETENTION_EVERY_SECONDS: '604800',
        STRATALOG_TASK_KEEP_DAYS: '2',
        STRATALOG_AUDIT_KEEP_DAYS: '1',
        STRATALOG_MAX_CLOCK_STEP_SECONDS: '10',
        STRATALOG_MAX_IDLE_DAYS: '1',
        STRATALOG_ACCEPT_CLOCK: '2026-11-22',
        STRATALOG_VENDOR: 'acme',
        STRATALOG_URN_NAMESPACE: 'ac',
        STRATALOG_INDEX_CHECK_SECONDS: '60',
        STRATALOG_LOG_LEVEL: 'silent',
        STRATALOG_ACCESS_LOG: 'on',
        STRATALOG_DRAIN_SECONDS: '20',
      }),
    ).toEqual({
      profile: 'embedded',
      host: '::1',
      drainMs: 20_000,
      port: 0,
      metricsPort: 9_100,
      baseUrl: 'https://catalog.example',
      corsOrigins: ['https://docs.example', 'http://localhost:3000'],
      appUrls: { ingest: ['http://a:1', 'http://b:2'], query: [], graph: [], admin: [] },
      dataDir: '/data',
      databaseUrl: 'postgresql://u:p@h/d',
      databasePoolSize: 4,
      serverHangMs: 1_000,
      taskKeepMs: 172_800_000,
      auditKeepMs: 86_400_000,
      trustedProxies: ['10.0.0.1', 'loopback'],
      proxyUsers: { header: 'x-remote-user', scopes: ['read', 'write'] },
      policyMode: 'on',
      assistantWrites: 'on',
      limits: { readsPerSecond: 0, writesPerSecond: 0, maxFailedTokens: 10 },
      modelFolders: ['/a', '/b'],
      unknownAspects: 'drop',
      urnExistence: 'reject',
      popularity: { strength: 'weak', everyMs: 60_000 },
      testResults: { mode: 'continuous', everyMs: 3_600_000 },
      isStrict: true,
      sdkWrites: 'restli',
      acceptModel: '0123456789ab',
      auth: 'all',
      token: 'x'.repeat(16),
      partitions: 1,
      maxBodyBytes: 1_024,
      commitTimeoutMs: 10,
      positionTimeoutMs: 600_000,
      queryTimeoutMs: 50_000,
      graphqlMaxReads: 100,
      retention: { fallback: { maxAgeMs: 1_000 }, everyMs: 604_800_000 },
      maxClockStepMs: 10_000,
      maxIdleMs: 86_400_000,
      acceptClock: '2026-11-22',
      indexCheckMs: 60_000,
      vendor: 'acme',
      urnNamespace: 'ac',
      logLevel: 'silent',
      accessLog: true,
    });
  });

  it.each([
    ['STRATALOG_PROFILE', 'Distributed', 'embedded, distributed; did you mean distributed?'],
    ['KAFKA_BROKERS', 'localhost', 'host:port,host:port'],
    ['KAFKA_SASL_MECHANISM', 'PLAIN', 'plain, scram-sha-256, scram-sha-512; did you mean plain?'],
    ['STRATALOG_INDEX_PREFIX', 'A', 'lower-case letters, digits and "_"'],
    ['STRATALOG_HOST', 'a b', 'a host name or address'],
    ['STRATALOG_CORS_ORIGINS', '*', 'https://host,http://host:port'],
    ['STRATALOG_CORS_ORIGINS', 'https://a.example/', 'https://host,http://host:port'],
    ['STRATALOG_PORT', 'http', 'an integer from 0 to 65535'],
    ['STRATALOG_PORT', '65536', 'an integer from 0 to 65535'],
    ['STRATALOG_PORT', '-1', 'an integer from 0 to 65535'],
    ['STRATALOG_PORT', '80 ', 'an integer from 0 to 65535'],
    ['STRATALOG_PORT', '0x50', 'an integer from 0 to 65535'],
    ['DATABASE_POOL_SIZE', '3', 'an integer from 4 to 500'],
    ['STRATALOG_UNKNOWN_ASPECTS', 'keep', 'dead-letter, drop'],
    ['STRATALOG_ACCEPT_MODEL', 'yes', 'the first 12 digits of a model fingerprint'],
    ['STRATALOG_AUTH', 'ALL', 'all, operations, none; did you mean all?'],
    ['STRATALOG_PARTITIONS', '0', 'an integer from 1 to 1024'],
    ['STRATALOG_MAX_BODY_BYTES', '16MB', 'an integer from 1024 to 134217728'],
    ['STRATALOG_COMMIT_TIMEOUT_MS', '9', 'an integer from 10 to 600000'],
    ['STRATALOG_POSITION_TIMEOUT_MS', '1e3', 'an integer from 10 to 600000'],
    ['STRATALOG_QUERY_TIMEOUT_MS', '50001', 'an integer from 10 to 50000'],
    ['STRATALOG_GRAPHQL_MAX_READS', '99', 'an integer from 100 to 10000000'],
    ['STRATALOG_RETENTION_MAX_VERSIONS', '-1', 'an integer from 0 to 2147483647'],
    ['STRATALOG_RETENTION_EVERY_SECONDS', '0', 'an integer from 1 to 604800'],
    ['STRATALOG_TASK_KEEP_DAYS', '0', 'an integer from 1 to 3650'],
    ['STRATALOG_AUDIT_KEEP_DAYS', '0', 'an integer from 1 to 36500'],
    ['STRATALOG_MAX_CLOCK_STEP_SECONDS', '0', 'an integer from 10 to 31536000'],
    ['STRATALOG_ACCEPT_CLOCK', 'today', 'a day as YYYY-MM-DD'],
    ['STRATALOG_ACCEPT_CLOCK', '2026-13-40', 'a day as YYYY-MM-DD'],
    ['STRATALOG_ACCEPT_CLOCK', '2026-02-30', 'a day as YYYY-MM-DD'],
    ['STRATALOG_VENDOR', 'Linked-In', 'a lower-case name'],
    ['STRATALOG_URN_NAMESPACE', 'urn:li', 'a lower-case name'],
    ['STRATALOG_LOG_LEVEL', 'loud', 'fatal, error, warn, info, debug, silent'],
  ])('rejects %s=%s', (name, value, allowed) => {
    expect(() => parseSettings({ [name]: value })).toThrow(
      new InvalidSettingError(`${name} is "${value}"; allowed: ${allowed}`),
    );
  });

  it.each([
    ['STRATALOG_TOKEN', 'hunter2', 'at least 16 characters without blanks'],
    ['STRATALOG_TOKEN', 'a token with blanks in it', 'at least 16 characters without blanks'],
    ['DATABASE_URL', 'mysql://u:hunter2@h/d', 'postgres://user:password@host:port/database'],
    ['DATABASE_URL', 'hunter2', 'postgres://user:password@host:port/database'],
    [
      'STRATALOG_BASE_URL',
      'https://u:hunter2@h',
      'http://host:port or https://host:port, without a password',
    ],
  ])('rejects a wrong %s without showing it', (name, value, allowed) => {
    expect(() => parseSettings({ [name]: value })).toThrow(
      new InvalidSettingError(`${name} is (not shown); allowed: ${allowed}`),
    );
  });

  describe('a secret in a file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-spec-'));
    const file = join(folder, 'token');
    afterAll(() => {
      rmSync(folder, { recursive: true });
    });

    it.each(['x'.repeat(16), `${'x'.repeat(16)}\n`, `${'x'.repeat(16)}\r\n`])('is read', (content) => {
      writeFileSync(file, content);
      expect(parseSettings({ STRATALOG_TOKEN_FILE: file }).token).toBe('x'.repeat(16));
    });

    it('is not shown when it is wrong', () => {
      writeFileSync(file, 'hunter2');
      expect(() => parseSettings({ STRATALOG_TOKEN_FILE: file })).toThrow(
        'STRATALOG_TOKEN is (not shown); allowed: at least 16 characters without blanks',
      );
    });

    it('must be there, and the only one', () => {
      const absent = join(folder, 'absent');
      expect(() => parseSettings({ STRATALOG_TOKEN_FILE: absent })).toThrow(
        `STRATALOG_TOKEN_FILE is "${absent}" (ENOENT); allowed: the path of a file that can be read`,
      );
      expect(() => parseSettings({ STRATALOG_TOKEN: 'x'.repeat(16), STRATALOG_TOKEN_FILE: file })).toThrow(
        `STRATALOG_TOKEN_FILE is "${file}"; allowed: no value, because STRATALOG_TOKEN has one`,
      );
    });

    it('is of settings that are secrets', () => {
      expect(parseSettings({ STRATALOG_PORT_FILE: file }).port).toBe(8080);
      const names = { STRATALOG_PORT_FILE: file, DATABASE_URL_FILE: file, STRATALOG_TOKEN_FILE: file };
      expect(unknownSettings(names)).toEqual([{ name: 'STRATALOG_PORT_FILE', near: expect.any(String) }]);
    });
  });

  it('evaluates policies where every call has a user', () => {
    const policies = { STRATALOG_POLICIES: 'on' };
    expect(parseSettings({ ...policies, STRATALOG_AUTH: 'all' }).policyMode).toBe('on');
    expect(() => parseSettings(policies)).toThrow(
      'STRATALOG_AUTH is "operations"; allowed with STRATALOG_POLICIES "on": all',
    );
  });

  it('believes a header about users only when it names the proxies that may set it', () => {
    expect(() => parseSettings({ STRATALOG_PROXY_USER_HEADER: 'X-Remote-User' })).toThrow(
      'STRATALOG_TRUSTED_PROXIES is not set; STRATALOG_PROXY_USER_HEADER needs it',
    );
  });

  it.each([
    'X-Forwarded-For',
    'x-datahub-actor',
    'Authorization',
    'X_User',
    'X-User:',
    'X-Stratalog-Proxy-User',
  ])('takes no user from the header %s', (name) => {
    expect(() => parseSettings({ STRATALOG_PROXY_USER_HEADER: name })).toThrow(
      `STRATALOG_PROXY_USER_HEADER is "${name}"; allowed: the name of a header`,
    );
  });

  it('wants a certificate with its key, and a key with its certificate', () => {
    const certificate = { STRATALOG_TLS_CERT_FILE: '/cert.pem' };
    const key = { STRATALOG_TLS_KEY_FILE: '/key.pem' };
    expect(parseSettings({ ...certificate, ...key }).tls).toEqual({
      certificateFile: '/cert.pem',
      keyFile: '/key.pem',
    });
    expect(() => parseSettings(certificate)).toThrow('STRATALOG_TLS_KEY_FILE is not set');
    expect(() => parseSettings(key)).toThrow('STRATALOG_TLS_CERT_FILE is not set');
  });

  it.each(['10.0.0.0/33', '::1/129', 'somewhere', '10.0.0.1,', '10.0.0.0/8/9', '10.0.0.0/'])(
    'trusts no proxy "%s"',
    (name) => {
      expect(() => parseSettings({ STRATALOG_TRUSTED_PROXIES: name })).toThrow(
        `STRATALOG_TRUSTED_PROXIES is "${name}"; allowed: addresses`,
      );
    },
  );

  it('trusts proxies by address, network and word', () => {
    const names = ['10.0.0.1', 'fd00::/8', '0.0.0.0/0', 'uniquelocal'];
    expect(parseSettings({ STRATALOG_TRUSTED_PROXIES: names.join(',') }).trustedProxies).toEqual(names);
  });

  it.each(['localhost', '127.0.0.1', '127.1.2.3', '::1'])('lets %s do without tokens', (host) => {
    expect(parseSettings({ STRATALOG_HOST: host }).auth).toBe('operations');
  });

  it.each(['0.0.0.0', '::', '192.168.1.2', 'catalog.example', '127.example'])(
    'wants a token for every call on %s, unless it is allowed by name',
    (host) => {
      const rejected = `STRATALOG_AUTH is "operations" with STRATALOG_HOST "${host}"; allowed: all`;
      expect(() => parseSettings({ STRATALOG_HOST: host })).toThrow(rejected);
      expect(() => parseSettings({ STRATALOG_HOST: host, STRATALOG_INSECURE_HOST: '10.0.0.1' })).toThrow(
        rejected,
      );
      expect(parseSettings({ STRATALOG_HOST: host, STRATALOG_AUTH: 'all' }).auth).toBe('all');
      const byName = { STRATALOG_HOST: host, STRATALOG_INSECURE_HOST: host };
      expect(parseSettings({ ...byName, STRATALOG_AUTH: 'operations' }).auth).toBe('operations');
      expect(() => parseSettings({ ...byName, STRATALOG_AUTH: 'none' })).toThrow(
        `STRATALOG_AUTH is "none" with STRATALOG_HOST "${host}"; allowed: all`,
      );
    },
  );
});

describe('unknownSettings', () => {
  it('reports variables that resemble a setting but are none', () => {
    expect(
      unknownSettings({ STRATALOG_PROT: '1', STRATALOG_PORT: '1', STRATALOG_URL: 'x', PATH: '/' }),
    ).toEqual([{ name: 'STRATALOG_PROT', near: '; did you mean STRATALOG_PORT?' }]);
  });

  it('reports variables for the catalog’s servers that are probably misspelt settings', () => {
    expect(
      unknownSettings({ KAFKA_BROKER: 'x:1', KAFKA_HEAP_OPTS: 'x', DATABASE_URI: 'x', PATHS: '/' }),
    ).toEqual([
      { name: 'KAFKA_BROKER', near: '; did you mean KAFKA_BROKERS?' },
      { name: 'DATABASE_URI', near: '; did you mean DATABASE_URL?' },
    ]);
  });
});
