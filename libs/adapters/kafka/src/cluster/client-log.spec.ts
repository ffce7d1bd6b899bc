import { describe, expect, it } from '@jest/globals';
import { createClientLog, withoutRepeats } from './client-log';

const LOADING = "The coordinator is loading and hence can't process requests for this group";

describe('createClientLog', () => {
  const listen = () => {
    const clock = { time: 0 };
    const told: [string, string][] = [];
    const log = createClientLog(
      withoutRepeats(
        (level, text) => told.push([level, text]),
        () => clock.time,
      ),
    );
    return { clock, told, log };
  };
  const response = {
    namespace: 'Connection',
    isError: true,
    message: 'Response GroupCoordinator(key: 10, version: 2)',
  };

  it('tells calmly, and once, what passes by itself', () => {
    const { clock, told, log } = listen();
    log({ ...response, error: LOADING });
    log({ namespace: 'Consumer', isError: true, message: `Crash: KafkaJSProtocolError: ${LOADING}` });
    clock.time = 9_999;
    log({ ...response, error: LOADING });
    expect(told).toEqual([['info', `Kafka is not ready for that yet and is asked again (${LOADING})`]]);
    clock.time = 10_000;
    log({ ...response, error: LOADING });
    expect(told).toHaveLength(2);
  });

  it('takes a transaction that is not through yet for what passes by itself', () => {
    const { told, log } = listen();
    const message = 'Response AddPartitionsToTxn(key: 24, version: 1)';
    const error =
      'The producer attempted to update a transaction while another concurrent operation on the same transaction was ongoing';
    log({ ...response, message, error });
    expect(told).toEqual([['info', `Kafka is not ready for that yet and is asked again (${error})`]]);
  });

  it('tells the reason of everything else as a warning', () => {
    const { told, log } = listen();
    log({ ...response, error: 'The server experienced an unexpected error' });
    log({ namespace: '', isError: false, message: 'Something odd' });
    expect(told).toEqual([
      [
        'warn',
        'kafkajs Connection: Response GroupCoordinator(key: 10, version: 2): The server experienced an unexpected error',
      ],
      ['warn', 'kafkajs: Something odd'],
    ]);
  });

  it('leaves out what is seen to elsewhere', () => {
    const { told, log } = listen();
    log({
      namespace: 'Producer',
      isError: false,
      message: 'Limiting retries for the idempotent producer may …',
    });
    expect(told).toEqual([]);
  });
});
