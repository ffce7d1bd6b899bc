import { EventEmitter, once } from 'node:events';
import { expect, it } from '@jest/globals';
import { onMeasure } from '@stratalog/concurrency';
import type { Rejection } from '@stratalog/ports';
import { deadLetterLog } from './dead-letter-log';
import { createLogger } from './logger';

const letter = (offset: number): Rejection => ({
  position: { partition: 3, offset },
  reason: 'Aspect tagPropertis is unknown',
  content: { bytes: new Uint8Array() },
});

function listen(windowMs: number) {
  const lines: Record<string, unknown>[] = [];
  const written = new EventEmitter();
  const write = (line: string): void => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    written.emit('line');
  };
  const logger = createLogger({ logLevel: 'info' }, { isTerminal: false, write });
  return { lines, written, report: deadLetterLog(logger, windowMs) };
}

it('a dead letter is one warning with its place and reason, and one that could not be applied an error', () => {
  const { lines, report } = listen(limitMs(60_000));
  report(letter(7));
  report(letter(8), new Error('a defect'));
  expect(lines).toMatchObject([
    { level: 'warn', partition: 3, offset: 7, reason: 'Aspect tagPropertis is unknown' },
    { level: 'error', partition: 3, offset: 8, err: { message: 'a defect' } },
  ]);
});

it('a flood of dead letters is ten lines and their number, and all are counted', async () => {
  const { lines, written, report } = listen(100);
  let counted = 0;
  const stop = onMeasure('deadLetter', () => (counted += 1));
  for (let offset = 1; offset <= 5_000; offset += 1) report(letter(offset));
  stop();
  await once(written, 'line');
  expect(lines).toHaveLength(11);
  expect([lines[10], counted]).toMatchObject([
    { level: 'warn', omitted: 4_990, msg: 'more proposals became dead letters' },
    5_000,
  ]);
  report(letter(5_001));
  expect(lines[11]).toMatchObject({ offset: 5_001 });
});
