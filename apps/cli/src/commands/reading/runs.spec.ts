import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, ScriptedCatalog } from '../../testing/scripted-catalog';

const RUN = { runId: 'monday', timestamp: 1_700_000_000_000, rows: 12 };
const ASPECT = { ...RUN, urn: 'urn:li:tag:a', aspectName: 'tagProperties', keyAspect: false, version: 2 };

describe('runs', () => {
  let catalog: ScriptedCatalog;
  let asked: string[];

  beforeEach(async () => {
    asked = [];
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });
  const scripted = (...value: readonly object[]): void => {
    catalog.reply = (request, body) => {
      asked.push(`${request.url ?? ''} ${body}`);
      return { status: 200, body: { value } };
    };
  };

  it('lists runs, the last write first, page by page', async () => {
    scripted(RUN);
    expect(await catalog.run(['runs', '--count', '2', '--start', '4'])).toEqual({
      exit: 0,
      out: 'run     last write                aspects\nmonday  2023-11-14T22:13:20.000Z  12\n',
      err: '',
    });
    expect(asked).toEqual(['/runs?action=list {"pageOffset":4,"pageSize":2,"includeSoft":false}']);
    expect(JSON.parse((await catalog.run(['runs', '--json'])).out)).toEqual([RUN]);
  });

  it('lists the aspects of a run', async () => {
    scripted(ASPECT);
    expect(await catalog.run(['runs', 'monday', '--all'])).toEqual({
      exit: 0,
      out: 'urn           aspect         version  written\nurn:li:tag:a  tagProperties  2        2023-11-14T22:13:20.000Z\n',
      err: '',
    });
    expect(asked).toEqual([
      '/runs?action=describe {"runId":"monday","start":0,"count":20,"includeSoft":true}',
    ]);
  });

  it('fails for a run that owns nothing, and tells what the catalog rejects', async () => {
    scripted();
    expect(await catalog.run(['runs', 'tuesday'])).toMatchObject({
      exit: 1,
      err: 'the run tuesday owns no aspect\n',
    });
    expect(await catalog.run(['runs'])).toMatchObject({ exit: 0 });
    expect((await catalog.run(['runs', '--count', '0'])).exit).toBe(2);
    catalog.reply = () => rejection(400, "Parameter 'runId' is longer than 256 bytes");
    expect(await catalog.run(['runs', 'x'])).toMatchObject({
      exit: 1,
      err: expect.stringContaining('longer than 256 bytes'),
    });
  });
});
