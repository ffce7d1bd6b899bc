import { describe, expect, it } from '@jest/globals';
import { PlausibleClock, type TimeSources } from './plausible-clock';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 22, 12);

/** A machine with a manual clock; its time passes only when a test calls `pass`. */
class Machine implements TimeSources {
  private wallMs = START;
  private steadyMs = 5;
  private bootMs = 9;
  wall = () => this.wallMs;
  steady = () => this.steadyMs;
  sinceBoot = () => this.bootMs;

  pass(ms: number, { asleep = false } = {}): void {
    this.wallMs += ms;
    this.bootMs += ms;
    if (!asleep) this.steadyMs += ms;
  }

  step(ms: number): void {
    this.wallMs += ms;
  }
}

function started({ isAccepted = false } = {}) {
  const machine = new Machine();
  const clock = new PlausibleClock({ maxStepMs: HOUR, maxIdleMs: 30 * DAY, isAccepted, time: machine });
  const compare = ({
    server = machine.wall(),
    stamp = 0,
    seen = 0,
  }: { server?: number; stamp?: number; seen?: number } = {}) =>
    clock.compare({ serverMs: server, lastStampMs: stamp, lastSeenMs: seen });
  return { machine, clock, compare };
}

describe('A clock', () => {
  it('is plausible while it advances as far as the elapsed time, whether the machine sleeps or not', () => {
    const { machine, clock, compare } = started();
    expect(compare()).toBeUndefined();
    machine.pass(400 * DAY);
    expect(clock.doubt()).toBeUndefined();
    machine.pass(3 * DAY, { asleep: true });
    expect(clock.doubt()).toBeUndefined();
    machine.step(HOUR);
    expect(clock.doubt()).toBeUndefined();
    machine.pass(10_000);
    machine.step(-HOUR);
    expect(clock.doubt()).toBeUndefined();
    expect(clock.now()).toBe(machine.wall());
  });

  it.each([365 * DAY, HOUR + 1, -HOUR - 1, -365 * DAY])(
    'a clock that jumps by %d ms is not, until it is back',
    (ms) => {
      const { machine, clock, compare } = started();
      compare();
      machine.pass(500);
      machine.step(ms);
      expect(clock.doubt()).toContain(`has jumped: it says ${new Date(machine.wall()).toISOString()}`);
      machine.pass(10 * DAY);
      expect(clock.doubt()).toContain('has jumped');
      expect(compare()).toContain('has jumped');
      machine.step(-ms);
      expect(clock.doubt()).toBeUndefined();
      expect(compare()).toBeUndefined();
    },
  );

  it('is not plausible while it differs from that of the database server', () => {
    const { machine, clock, compare } = started();
    for (const apart of [2 * HOUR, -2 * HOUR]) {
      expect(compare({ server: machine.wall() + apart })).toContain('that of the database server');
      expect(clock.doubt()).toContain('one of them is wrong');
      machine.step(apart);
      expect(compare({ server: machine.wall() })).toBeUndefined();
      expect(clock.doubt()).toBeUndefined();
    }
  });

  it('is not plausible while the store has later stamps, and the message names the day to accept', () => {
    const { machine, clock, compare } = started();
    expect(compare({ stamp: START + HOUR })).toBeUndefined();
    expect(compare({ stamp: START + HOUR + 1 })).toContain('STRATALOG_ACCEPT_CLOCK=2026-11-22');
    machine.pass(2);
    expect(compare({ stamp: START + HOUR + 1 })).toBeUndefined();
    expect(clock.doubt(START + DAY)).toContain('the store has a stamp of 2026-11-23T12:00:00.000Z');
    expect(clock.doubt(START)).toBeUndefined();
  });

  it('is not plausible when the store was idle for longer than the limit, unless it is accepted', () => {
    const long = { stamp: START - 40 * DAY, seen: START - 31 * DAY };
    const { machine, compare } = started();
    expect(compare(long)).toContain('was last used at 2026-10-22T12:00:00.000Z');
    machine.step(-2 * DAY);
    expect(compare(long)).toBeUndefined();
    expect(started({ isAccepted: true }).compare(long)).toBeUndefined();
    expect(started().compare({ ...long, seen: START - 30 * DAY })).toBeUndefined();
    expect(started().compare({})).toBeUndefined();
  });

  it('stays plausible while it runs on an idle store', () => {
    const { machine, compare } = started();
    compare({ stamp: START });
    machine.pass(90 * DAY);
    expect(compare({ stamp: START })).toBeUndefined();
  });
});
