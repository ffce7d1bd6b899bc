import { afterAll, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';
import { startKafka } from '../servers/kafka';

const LIMIT_MS = limitMs(300_000);
const BUNDLE = join(import.meta.dirname, '../../../../dist/tools/local-stack/index.js');
const dataDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-left-`));
afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

it(
  'a broker whose owner was killed does not stand in the way of the next',
  async () => {
    const script = `
    const { startKafka } = await import(${JSON.stringify(BUNDLE)});
    const kafka = await startKafka({ dataDir: ${JSON.stringify(dataDir)} });
    console.log(JSON.stringify({ pid: kafka.pid, brokers: kafka.brokers }));
    setInterval(() => undefined, 1000);
  `;
    const owner = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const left = JSON.parse(line.toString()) as { pid: number; brokers: readonly string[] };
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    const next = await startKafka({ dataDir });
    expect(startOf(left.pid)).toBeUndefined();
    expect(next.brokers).toEqual(left.brokers);
    await next.stop();
    expect(startOf(next.pid)).toBeUndefined();
  },
  LIMIT_MS,
);
