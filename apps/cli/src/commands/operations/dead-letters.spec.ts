import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ScriptedCatalog, rejection } from '../../testing/scripted-catalog';

const LETTER = {
  id: '0.17',
  partition: 0,
  offset: 17,
  cause: 'conflict',
  reason: 'it exists already',
  rejectedMillis: 1_700_000_000_000,
  lastRejectedMillis: 1_700_000_000_000,
  times: 2,
  state: 'open',
  waits: false,
  bytes: 9,
  proposals: [{ entityType: 'tag', urn: 'urn:li:tag:a', aspectName: 'tagProperties', changeType: 'CREATE' }],
};

describe('the commands of dead letters', () => {
  let catalog: ScriptedCatalog;
  let asked: string[];

  const scripted = (replies: Readonly<Record<string, object>>): void => {
    catalog.reply = ({ method = '', url = '' }, body) => {
      const call = `${method} ${url} ${body}`.trimEnd();
      asked.push(call);
      const reply = replies[call];
      return reply === undefined ? rejection(400, `not scripted: ${call}`) : { status: 200, body: reply };
    };
  };
  const run = (...args: string[]) => catalog.run(['dead-letters', ...args]);

  beforeEach(async () => {
    asked = [];
    catalog = await ScriptedCatalog.start();
  });
  afterEach(async () => {
    await catalog.stop();
  });

  it('lists and selects', async () => {
    scripted({
      'GET /operations/deadLetters?cause=conflict&reason=exists&entityType=tag&urn=u&topic=t&from=1000000000000&to=1100000000000&state=open&count=2':
        { deadLetters: [LETTER] },
    });
    const range = '2001-09-09T01:46:40Z..2004-11-09T11:33:20Z';
    const selection = ['--cause', 'conflict', '--reason', 'exists', '--entity-type', 'tag', '--urn', 'u'];
    expect(
      await run('list', ...selection, '--topic', 't', '--time', range, '--only', 'open', '--count', '2'),
    ).toEqual({
      exit: 0,
      out: 'id    state  rejected                  times  about                          reason\n0.17  open   2023-11-14T22:13:20.000Z  2      tagProperties of urn:li:tag:a  it exists already\n',
      err: '',
    });
    expect((await run('list', '--cause', 'any')).exit).toBe(2);
  });

  it('counts by reason, and says what the model accepts now', async () => {
    const reason = { cause: 'conflict', reason: 'it … exists', count: 3, oldestMillis: 0, newestMillis: 0 };
    scripted({
      'GET /operations/deadLetters/counts?state=open': {
        total: 3,
        checked: 3,
        acceptable: 2,
        reasons: [reason],
      },
    });
    const { out } = await run('count', '--only', 'open');
    expect(out).toContain('it … exists');
    expect(out).toContain('3 in all; the model accepts 2 of 3 open ones now\n');
  });

  it('shows, replays and discards one', async () => {
    const replayed = { value: { ...LETTER, state: 'replayed' } };
    const file = await catalog.file('proposal.json', '{"aspectName":"status"}');
    scripted({
      'GET /operations/deadLetters/0.17': { ...LETTER, text: 'what was sent' },
      'POST /operations?action=replayDeadLetter {"letter":"0.17","force":false}': replayed,
      'POST /operations?action=replayDeadLetter {"letter":"0.17","force":true,"proposal":{"aspectName":"status"}}':
        replayed,
      'POST /operations?action=discardDeadLetter {"letter":"0.17"}': { value: LETTER },
    });
    expect(JSON.parse((await run('show', '0.17', '--json')).out)).toMatchObject(LETTER);
    const { out } = await run('show', '0.17');
    expect(out).toContain('reason    it exists already\n');
    expect(out).toContain('\nwhat was sent\n');
    expect(await run('replay', '0.17')).toEqual({ exit: 0, out: '0.17 is replayed\n', err: '' });
    expect((await run('replay', '0.17', '--force', '--proposal', file)).exit).toBe(0);
    expect(await run('discard', '0.17')).toMatchObject({ exit: 2, err: expect.stringContaining('--yes') });
    expect(await run('discard', '0.17', '--yes')).toEqual({ exit: 0, out: '0.17 is discarded\n', err: '' });
    expect((await run('replay', '0.17', '--proposal', '/nowhere.json')).exit).toBe(2);
  });

  it('replays the selected ones by a task, and fails when some stay open', async () => {
    const plan = { matching: 3, checked: 3, acceptable: 2 };
    const call = 'POST /operations?action=replayDeadLetters {"cause":"conflict","force":false,';
    scripted({
      [`${call}"dryRun":true}`]: { value: plan },
      [`${call}"dryRun":false}`]: { value: { ...plan, task: 'node:7' } },
      'GET /operations/tasks/node%3A7': {
        task: 'node:7',
        id: 7,
        kind: 'replay-dead-letters',
        state: 'completed',
        progress: { done: 3 },
        outcome: { replayed: 2, rejected: 0, held: 1, settled: 0 },
      },
    });
    const selection = ['--cause', 'conflict'];
    expect(await run('replay', ...selection, '--dry-run')).toEqual({
      exit: 0,
      out: 'would do: Replay 3 dead letters; the model accepts 2 of 3 checked ones\n',
      err: '',
    });
    expect(asked).toHaveLength(1);
    expect(await run('replay', ...selection, '--yes')).toMatchObject({
      exit: 1,
      out: '2 replayed, 0 rejected, 1 held, 0 settled\n',
    });
    expect((await run('replay', ...selection, '--yes', '--no-wait')).out).toBe('task node:7 is started\n');
  });

  it('touches nothing without a selection, or with two', async () => {
    scripted({});
    for (const args of [
      ['replay'],
      ['discard'],
      ['replay', '0.17', '--all'],
      ['discard', '0.17', '--dry-run'],
    ])
      expect([args, (await run(...args)).exit]).toEqual([args, 2]);
    expect(asked).toEqual([]);
  });
});
