import { describe, expect, it } from '@jest/globals';
import { parseDistributedArguments } from './distributed-arguments';

describe('parseDistributedArguments', () => {
  it('starts one of each by default', () => {
    expect(parseDistributedArguments([], {})).toEqual({
      kind: 'start',
      scale: { ingest: 1, writer: 1, indexer: 1, query: 1 },
      dataDir: undefined,
      host: '127.0.0.1',
      port: 8080,
    });
  });

  it('reads the number of instances', () => {
    const args = ['--writers', '3', '--indexers=2', '--data', '/d', '--port', '0', '--no-docker'];
    expect(parseDistributedArguments(args, {})).toEqual({
      kind: 'start',
      scale: { ingest: 1, writer: 3, indexer: 2, query: 1 },
      dataDir: '/d',
      host: '127.0.0.1',
      port: 0,
      docker: false,
    });
  });

  it('honours the settings of the same meaning, options first, and treats an empty one as unset', () => {
    const settings = { STRATALOG_PORT: '0', STRATALOG_HOST: '0.0.0.0', STRATALOG_DATA_DIR: '/kept' };
    const given = { host: '0.0.0.0', port: 0, dataDir: '/kept' };
    expect(parseDistributedArguments([], settings)).toMatchObject(given);
    const options = ['--port', '81', '--data', '/other'];
    expect(parseDistributedArguments(options, settings)).toMatchObject({ port: 81, dataDir: '/other' });
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']));
    expect(parseDistributedArguments([], empty)).toEqual(parseDistributedArguments([], {}));
    expect(parseDistributedArguments([], { STRATALOG_PORT: '-1' })).toEqual({
      kind: 'usage',
      status: 2,
      text: 'error: STRATALOG_PORT is "-1". Allowed: an integer from 0 to 65535.\n',
    });
  });

  it('prints its help', () => {
    expect(parseDistributedArguments(['-h'], {})).toMatchObject({ kind: 'usage', status: 0 });
  });

  it.each([
    [['--writers', '0'], '--writers <n>', '0', 'an integer from 1 to 16'],
    [['--queries', 'many'], '--queries <n>', 'many', 'an integer from 1 to 16'],
    [['--port', '65536'], '--port <port>', '65536', 'an integer from 0 to 65535'],
    [['--data', ''], '--data <dir>', '', 'a folder'],
  ])('rejects %j', (args, option, value, allowed) => {
    const text = `error: option '${option}' argument '${value}' is invalid. Allowed: ${allowed}.\n`;
    expect(parseDistributedArguments(args, {})).toEqual({ kind: 'usage', status: 2, text });
  });

  it('rejects unknown arguments', () => {
    expect(parseDistributedArguments(['--writer', '2'], {}).kind).toBe('usage');
  });
});
