import { describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { parseSettings } from './settings';

describe('the distributed profile', () => {
  const servers = {
    STRATALOG_PROFILE: 'distributed',
    DATABASE_URL: 'postgres://u:p@h/d',
    KAFKA_BROKERS: 'a:1,b:2',
    ELASTICSEARCH_URL: 'http://e:9200',
    STRATALOG_TOKEN: 'a-token-of-every-app',
  };

  it('requires a token for every call by default', () => {
    expect(parseSettings(servers).auth).toBe('all');
    expect(parseSettings({ ...servers, STRATALOG_HOST: '0.0.0.0', STRATALOG_AUTH: '' }).auth).toBe('all');
    expect(parseSettings({ ...servers, STRATALOG_AUTH: 'operations' }).auth).toBe('operations');
  });

  it.each(['all', 'operations', 'none'])(
    'needs a token that all apps share, with STRATALOG_AUTH=%s',
    (auth) => {
      const token = { STRATALOG_TOKEN: undefined, STRATALOG_AUTH: auth };
      expect(() => parseSettings({ ...servers, ...token })).toThrow(
        new InvalidSettingError(
          'STRATALOG_TOKEN is not set; STRATALOG_PROFILE=distributed needs it, the same for every app',
        ),
      );
    },
  );

  it('needs the address of the whole catalog for tools that write', () => {
    const writes = { ...servers, STRATALOG_MCP_WRITES: 'on' };
    expect(() => parseSettings(writes)).toThrow(
      new InvalidSettingError('STRATALOG_BASE_URL is not set; STRATALOG_MCP_WRITES needs it'),
    );
    const baseUrl = { STRATALOG_BASE_URL: 'https://catalog.example' };
    expect(parseSettings({ ...writes, ...baseUrl }).assistantWrites).toBe('on');
  });

  it('reads the addresses of its servers', () => {
    expect(parseSettings(servers)).toMatchObject({
      profile: 'distributed',
      databaseUrl: 'postgres://u:p@h/d',
      kafka: { brokers: ['a:1', 'b:2'], tls: false, topicPrefix: '' },
      searchEngine: { url: 'http://e:9200', indexPrefix: 'stratalog', shards: 1 },
    });
  });

  it('reads the credentials and the division of an index', () => {
    const credentials = {
      KAFKA_TLS: 'true',
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_USERNAME: 'k',
      KAFKA_PASSWORD: 'kp',
      KAFKA_TOPIC_PREFIX: 'acme.',
      ELASTICSEARCH_USERNAME: 'e',
      ELASTICSEARCH_PASSWORD: 'ep',
      STRATALOG_SEARCH_SHARDS: '3',
      STRATALOG_SEARCH_SLICES: '2',
    };
    expect(parseSettings({ ...servers, ...credentials })).toMatchObject({
      kafka: {
        tls: true,
        sasl: { mechanism: 'scram-sha-512', username: 'k', password: 'kp' },
        topicPrefix: 'acme.',
      },
      searchEngine: { username: 'e', password: 'ep', shards: 3, slices: 2 },
    });
  });

  it('reads the names of topics and the format of published changes', () => {
    const given = {
      KAFKA_PROPOSAL_TOPIC: 'in',
      KAFKA_CHANGE_TOPIC: 'out',
      KAFKA_CHANGE_FORMAT: 'avro',
      KAFKA_SCHEMA_REGISTRY_URL: 'https://u:p@registry/api',
    };
    expect(parseSettings(servers).kafka).toMatchObject({ topics: {}, changeFormat: 'json' });
    expect(parseSettings({ ...servers, ...given }).kafka).toMatchObject({
      topics: { proposals: 'in', changes: 'out' },
      changeFormat: 'avro',
      schemaRegistryUrl: 'https://u:p@registry/api',
    });
    expect(() => parseSettings({ ...servers, KAFKA_CHANGE_TOPIC: '..' })).toThrow(
      'KAFKA_CHANGE_TOPIC is ".."',
    );
    expect(() => parseSettings({ ...servers, KAFKA_SCHEMA_REGISTRY_URL: 'ftp://u:secret@h' })).toThrow(
      'KAFKA_SCHEMA_REGISTRY_URL is (not shown)',
    );
  });

  it.each(['DATABASE_URL', 'KAFKA_BROKERS', 'ELASTICSEARCH_URL'])('needs %s', (name) => {
    expect(() => parseSettings({ ...servers, [name]: undefined })).toThrow(
      new InvalidSettingError(`${name} is not set; STRATALOG_PROFILE=distributed needs it`),
    );
  });

  it('needs a password for a user', () => {
    expect(() => parseSettings({ ...servers, ELASTICSEARCH_USERNAME: 'e' })).toThrow(
      'ELASTICSEARCH_PASSWORD is not set; ELASTICSEARCH_USERNAME needs it',
    );
  });
});
