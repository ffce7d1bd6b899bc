import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { readPage } from './pages';

describe.each([
  ['docs/benchmarks/history.svg', 'docs/benchmarks/plot.mjs'],
  ['docs/reliability/recovery.svg', 'docs/reliability/plot.mjs'],
])('%s', (picture, script) => {
  it(`is what \`node ${script}\` draws from the recorded figures`, () => {
    const drawn = execFileSync(process.execPath, [join(ROOT, script), '--print'], { encoding: 'utf8' });
    expect(readPage(picture)).toBe(drawn);
  });
});
