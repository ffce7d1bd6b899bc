import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/model';
import type { LoggedOutcome, LoggedProposal } from '../stores/aspect-store';
import { OutcomePoller } from './outcome-poller';

/** A store whose log is applied up to an offset; it counts its queries. */
class Log {
  applied = 0;
  looks = 0;
  mostAsked = 0;
  isAway = false;

  readOutcomes(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]> {
    this.looks++;
    this.mostAsked = Math.max(this.mostAsked, proposals.length);
    if (this.isAway) return Promise.reject(new UnavailableError('away'));
    return Promise.resolve(
      proposals.map(({ position: { offset } }) =>
        offset <= this.applied ? { kind: 'applied', seq: offset } : { kind: 'pending' },
      ),
    );
  }
}

const at = (offset: number): LoggedProposal => ({ position: { partition: 3, offset }, urn: 'urn:li:tag:a' });

describe('OutcomePoller', () => {
  it('answers a waiting caller once the log is applied past its proposal', async () => {
    const log = new Log();
    const watch = new OutcomePoller(log);
    const waiting = [1, 2].map((offset) => watch.of(at(offset), 10_000));
    log.applied = 1;
    expect(await waiting[0]).toEqual({ kind: 'applied', seq: 1 });
    log.applied = 2;
    expect(await waiting[1]).toEqual({ kind: 'applied', seq: 2 });
  });

  it('shares one query among all waiting callers', async () => {
    const log = new Log();
    const watch = new OutcomePoller(log);
    const first = watch.of(at(1), 10_000);
    const others = Array.from({ length: 100 }, (_, index) => watch.of(at(index + 2), 10_000));
    log.applied = 101;
    await Promise.all([first, ...others]);
    expect(log.looks).toBeLessThanOrEqual(3);
    expect(log.mostAsked).toBeGreaterThanOrEqual(100);
  });

  it("fails after the timeout, with the proposal's log position", async () => {
    const watch = new OutcomePoller(new Log());
    await expect(watch.of(at(7), 20)).rejects.toThrow(
      new UnavailableError(
        'The proposal is in the log (partition 3, offset 7) and will be applied, but was not within 20 ms',
      ),
    );
  });

  it('continues after a failure of the store', async () => {
    const log = new Log();
    log.isAway = true;
    const waiting = new OutcomePoller(log).of(at(1), 10_000);
    log.isAway = false;
    log.applied = 1;
    expect(await waiting).toEqual({ kind: 'applied', seq: 1 });
  });
});
