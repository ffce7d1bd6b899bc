import { describe, expect, it } from '@jest/globals';
import { createClientLog, withoutRepeats } from './client-log';

const LOADING = "The coordinator is loading and hence can't process requests for this group";

describe('createClientLog', () => {
  const listen = () => {
    const clock = { time: 0 };
    const logged: [string, string][] = [];
    const log = createClientLog(
      withoutRepeats(
        (level, text) => logged.push([level, text]),
        () => clock.time,
      ),
    );
    return { clock, logged, log };
  };
  const message = 'Response GroupCoordinator(key: 10, version: 2)';

  it('logs what the client says for those who look for a fault, never as a warning', () => {
    const { logged, log } = listen();
    log({ namespace: 'Connection', message, error: LOADING });
    log({ namespace: 'Consumer', message: 'Crash: KafkaJSNumberOfRetriesExceeded: connect ECONNREFUSED' });
    log({ namespace: '', message: 'Something odd' });
    expect(logged).toEqual([
      ['debug', `kafkajs Connection: ${message}: ${LOADING}`],
      ['debug', 'kafkajs Consumer: Crash: KafkaJSNumberOfRetriesExceeded: connect ECONNREFUSED'],
      ['debug', 'kafkajs: Something odd'],
    ]);
  });

  it('logs a repeated line once in ten seconds', () => {
    const { clock, logged, log } = listen();
    const entry = { namespace: 'Connection', message, error: LOADING };
    log(entry);
    clock.time = 9_999;
    log(entry);
    expect(logged).toHaveLength(1);
    clock.time = 10_000;
    log(entry);
    expect(logged).toHaveLength(2);
  });
});
