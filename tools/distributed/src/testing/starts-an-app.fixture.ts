import { renameSync, writeFileSync } from 'node:fs';
import { it } from '@jest/globals';
import { plainEnvironment } from '@stratalog/harness';
import { TestApps } from './apps/test-apps';
import { TOKEN } from './apps/test-servers';

/** Nothing listens there, and a proxy connects only for its clients. */
const NOWHERE = '127.0.0.1:9';
const SETTINGS = {
  STRATALOG_TOKEN: TOKEN,
  DATABASE_URL: `postgres://u:p@${NOWHERE}/d`,
  KAFKA_BROKERS: NOWHERE,
  ELASTICSEARCH_URL: `http://${NOWHERE}`,
};

/** A suite that never ends and writes its processes into a file. */
it('starts an app and hangs', async () => {
  const apps = new TestApps({ ...plainEnvironment(), ...SETTINGS });
  await apps.startProxy([`http://${NOWHERE}`], `http://${NOWHERE}`);
  const file = process.env.PROCESSES_FILE ?? '';
  writeFileSync(`${file}.draft`, JSON.stringify({ suite: process.pid, app: apps.running[0]?.pid }));
  renameSync(`${file}.draft`, file);
  await new Promise(() => undefined);
});
