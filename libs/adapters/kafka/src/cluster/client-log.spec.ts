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
  const response = {
    namespace: 'Connection',
    message: 'Response GroupCoordinator(key: 10, version: 2)',
  };

  it('logs transient errors as info, and once', () => {
    const { clock, logged, log } = listen();
    log({ ...response, error: LOADING });
    log({ namespace: 'Consumer', message: `Crash: KafkaJSProtocolError: ${LOADING}` });
    clock.time = 9_999;
    log({ ...response, error: LOADING });
    expect(logged).toEqual([['info', `Kafka is not ready for that yet and is asked again (${LOADING})`]]);
    clock.time = 10_000;
    log({ ...response, error: LOADING });
    expect(logged).toHaveLength(2);
  });

  it('treats a concurrent transaction as transient', () => {
    const { logged, log } = listen();
    const message = 'Response AddPartitionsToTxn(key: 24, version: 1)';
    const error =
      'The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing';
    log({ ...response, message, error });
    expect(logged).toEqual([['info', `Kafka is not ready for that yet and is asked again (${error})`]]);
  });

  it('logs a rebalance as info, and once', () => {
    const { logged, log } = listen();
    const error = 'The group is rebalancing, so a rejoin is needed';
    log({ ...response, message: 'Response Heartbeat(key: 12, version: 3)', error });
    log({ namespace: 'Runner', message: 'The group is rebalancing, re-joining', error });
    expect(logged).toEqual([['info', `Kafka is not ready for that yet and is asked again (${error})`]]);
  });

  it('logs the reason of all other entries as a warning', () => {
    const { logged, log } = listen();
    log({ ...response, error: 'The server experienced an unexpected error' });
    log({ namespace: '', message: 'Something odd' });
    expect(logged).toEqual([
      [
        'warn',
        'kafkajs Connection: Response GroupCoordinator(key: 10, version: 2): The server experienced an unexpected error',
      ],
      ['warn', 'kafkajs: Something odd'],
    ]);
  });

  it('omits entries that other code handles', () => {
    const { logged, log } = listen();
    log({
      namespace: 'Producer',
      message: 'Limiting retries for the idempotent producer may …',
    });
    expect(logged).toEqual([]);
  });
});
