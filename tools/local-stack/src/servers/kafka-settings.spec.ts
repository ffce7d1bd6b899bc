import { expect, test } from '@jest/globals';
import { kafkaProperties } from './kafka-settings';

test('listens on this machine only, and given properties win', () => {
  const lines = kafkaProperties(
    { port: 1, controllerPort: 2, dataDir: '/data' },
    { 'num.io.threads': '1', 'max.connections': '9' },
  ).split('\n');
  expect(lines).toContain('listeners=PLAINTEXT://127.0.0.1:1,CONTROLLER://127.0.0.1:2');
  expect(lines).toContain('log.dirs=/data');
  expect(lines.filter((line) => line.startsWith('num.io.threads'))).toEqual(['num.io.threads=1']);
  expect(lines).toContain('max.connections=9');
});
