import { beforeEach, describe, expect, it } from '@jest/globals';
import { FaultLog } from './fault-log';
import type { StageHealth } from './health';

describe('FaultLog', () => {
  let lines: unknown[];
  let nowMs: number;
  let stage: StageHealth;
  let log: FaultLog;

  beforeEach(() => {
    lines = [];
    nowMs = 0;
    stage = { name: 'writer', state: 'running' };
    const tell =
      (level: string) =>
      (...[facts, message]: readonly unknown[]): void => {
        lines.push([level, message, facts]);
      };
    log = new FaultLog({
      report: () => ({ status: 'degraded', stages: [stage, { name: 'query', state: 'running' }] }),
      logger: { error: tell('error'), warn: tell('warn') },
      now: () => nowMs,
    });
  });
  const checkFor = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      log.check();
      nowMs += 1_000;
    }
  };
  const failing = (reason: string): void => {
    stage = { name: 'writer', state: 'retrying', reason };
  };

  it('logs the reason why a stage has stopped once, and that it works again', () => {
    failing('partition 3: the log moved');
    checkFor(600);
    expect(lines).toEqual([
      [
        'error',
        'a stage cannot work, and tries again',
        { stage: 'writer', reason: 'partition 3: the log moved' },
      ],
    ]);
    stage = { name: 'writer', state: 'running' };
    checkFor(10);
    expect(lines.slice(1)).toEqual([['warn', 'a stage works again', { stage: 'writer' }]]);
  });

  it('logs nothing about a stage that works again within seconds', () => {
    for (let round = 0; round < 5; round += 1) {
      failing('no answer');
      checkFor(2);
      stage = { name: 'writer', state: 'running' };
      checkFor(1);
    }
    expect(lines).toEqual([]);
  });

  it('logs another reason, and one that changes all the time once a minute', () => {
    failing('Kafka does not answer');
    checkFor(10);
    failing('the log moved');
    checkFor(60);
    expect(lines.map((line) => (line as readonly unknown[])[2])).toEqual([
      { stage: 'writer', reason: 'Kafka does not answer' },
      { stage: 'writer', reason: 'the log moved' },
    ]);
    for (let round = 0; round < 120; round += 1) {
      failing(`attempt ${String(round)}`);
      checkFor(1);
    }
    expect(lines.length).toBeLessThanOrEqual(5);
  });
});
