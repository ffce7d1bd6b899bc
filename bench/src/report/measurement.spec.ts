import { describe, expect, it } from '@jest/globals';
import type { Machine } from '../machine/machine';
import { judge, toLine } from './measurement';

const MACHINE: Machine = {
  cpu: 'a processor',
  cores: 2,
  memGb: 8,
  node: 'v20.19.0',
  postgres: '18.4',
  durability: 'fsync=on',
  fsyncMs: 1,
  load1: 0.5,
};

describe('judge', () => {
  it('compares the rate with the floor and each value with its goal', () => {
    // given a case that is fast enough but too far from its floor
    const finding = {
      case: 'writes',
      sizes: {},
      seconds: 10,
      rate: 5_000,
      floor: { what: 'bare SQL', rate: 10_000 },
      goals: [
        { of: 'rate', atLeast: 5_000 },
        { of: 'ratioToFloor', atLeast: 0.55 },
      ],
    } as const;
    // when it is judged
    const measurement = judge('ingest', MACHINE, finding);
    // then each goal has its own verdict
    expect(measurement.ratioToFloor).toBe(0.5);
    expect(measurement.goal.map(({ met }) => met)).toEqual([true, false]);
    expect(measurement.met).toBe(false);
  });

  it('misses a goal whose value was not measured', () => {
    const goals = [{ of: 'residentMb', atMost: 700 }] as const;
    const measurement = judge('ingest', MACHINE, { case: 'memory', sizes: {}, seconds: 1, goals });
    expect(measurement.goal).toEqual([{ of: 'residentMb', atMost: 700, got: null, met: false }]);
  });

  it('reports the processor time of one unit, the load included', () => {
    const cpuCores = { node: 0.6, postgres: 0.3, load: 0.1, busiestConnection: 0.2, machine: 1.9, stolen: 0 };
    const measurement = judge('ingest', MACHINE, {
      case: 'writes',
      sizes: {},
      seconds: 1,
      rate: 4_000,
      cpuCores,
    });
    expect(measurement.cpuMsEach).toBeCloseTo(0.25);
  });

  it('leaves the verdict open where there is no goal', () => {
    expect(judge('ingest', MACHINE, { case: 'floor', sizes: {}, seconds: 1, rate: 9 }).met).toBeNull();
  });
});

describe('toLine', () => {
  it('is one line of JSON without insignificant digits', () => {
    const measurement = judge('ingest', MACHINE, { case: 'floor', sizes: {}, seconds: 1.23456, rate: 9 });
    expect(toLine(measurement)).not.toContain('\n');
    expect(JSON.parse(toLine(measurement))).toMatchObject({ bench: 'ingest', seconds: 1.235, rate: 9 });
  });
});
