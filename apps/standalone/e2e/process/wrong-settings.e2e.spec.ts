import { createServer, type AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InvalidSettingError } from '@stratalog/domain';
import { Site } from '../testing/catalog/booted-catalog';

/** Well-formed settings that do not fit this machine. The parser rejects malformed ones earlier. */
describe('a setting that does not fit this machine', () => {
  const blocker = createServer();
  let takenPort: string;
  let site: Site;
  beforeAll(async () => {
    site = await Site.create();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    takenPort = String((blocker.address() as AddressInfo).port);
    writeFileSync(join(site.dataDir, 'a-file'), '');
  });
  afterAll(async () => {
    blocker.close();
    await site.remove();
  });

  it.each([
    [
      'a port that is taken',
      () => ({ STRATALOG_PORT: takenPort }),
      () =>
        `STRATALOG_PORT ${takenPort} on 127.0.0.1 is taken by another process; allowed: a free port, or 0`,
    ],
    [
      'a host that does not exist',
      () => ({ STRATALOG_HOST: 'nowhere.invalid', STRATALOG_AUTH: 'all' }),
      () => 'STRATALOG_HOST is "nowhere.invalid"; allowed: a host name or address of this machine',
    ],
    [
      'a host that is another machine',
      () => ({ STRATALOG_HOST: '192.0.2.1', STRATALOG_AUTH: 'all' }),
      () => 'STRATALOG_HOST is "192.0.2.1"; allowed: a host name or address of this machine',
    ],
    [
      'a model folder that is not there',
      () => ({ STRATALOG_MODELS: '/no/such/folder' }),
      () => 'STRATALOG_MODELS is "/no/such/folder"; allowed: folders that are there',
    ],
    [
      'a certificate that is not there',
      () => ({ STRATALOG_TLS_CERT_FILE: '/no/cert.pem', STRATALOG_TLS_KEY_FILE: '/no/key.pem' }),
      () => 'STRATALOG_TLS_CERT_FILE is "/no/cert.pem" (ENOENT); allowed: a PEM file with a certificate',
    ],
    [
      'a list of synonyms that is not there',
      () => ({ STRATALOG_SYNONYMS: '/no/such/list' }),
      () => 'STRATALOG_SYNONYMS is "/no/such/list"; allowed: a list of synonyms. ENOENT',
    ],
    [
      'a data folder that is a file',
      () => ({ STRATALOG_DATA_DIR: join(site.dataDir, 'a-file'), DATABASE_URL: '' }),
      () => `STRATALOG_DATA_DIR: ${join(site.dataDir, 'a-file')} cannot be used`,
    ],
    [
      'a data folder below a file',
      () => ({ STRATALOG_DATA_DIR: join(site.dataDir, 'a-file', 'below') }),
      () => `STRATALOG_DATA_DIR: ${join(site.dataDir, 'a-file', 'below')} cannot be used`,
    ],
    [
      'a database server that is not there',
      () => ({ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }),
      () => 'DATABASE_URL: 127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1',
    ],
    [
      'a database that is not there',
      () => ({ DATABASE_URL: site.databaseUrl.replace(/[^/]+$/, 'nothing') }),
      () => '/nothing cannot be used: database "nothing" does not exist',
    ],
    [
      'a password that is wrong',
      () => ({ DATABASE_URL: site.databaseUrl.replace(/:[^:@]+@/, ':secret@') }),
      () => 'cannot be used: password authentication failed for user',
    ],
  ])('stops the start with its name, its value and a reason: %s', async (_name, environment, message) => {
    const rejected = await site.boot({ environment: environment() }).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(InvalidSettingError);
    expect((rejected as Error).message).toContain(message());
    expect((rejected as Error).message).not.toContain('secret');
  });
});
