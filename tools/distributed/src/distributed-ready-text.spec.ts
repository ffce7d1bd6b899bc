import { describe, expect, it } from '@jest/globals';
import { distributedReadyText } from './distributed-ready-text';

const URL = 'http://127.0.0.1:8080';

describe('distributedReadyText', () => {
  it.each([
    ['/data/of-ours', 'npm run cli -- token --data-dir /data/of-ours'],
    ["/my data/it's", "npm run cli -- token --data-dir '/my data/it'\\''s'"],
    [undefined, 'STRATALOG_TOKEN'],
  ])('distributedReadyText with its token in %s says how to see it', (folder, command) => {
    const apps = [
      { name: 'writer-1', pid: 7, url: 'http://127.0.0.1:1', metrics: 'http://127.0.0.1:22/metrics' },
      { name: 'proxy', pid: 12345, url: URL, metrics: undefined },
    ];
    expect(distributedReadyText({ url: URL, apps }, folder)).toBe(
      `stratalog ready ${URL}

  app       process  address                metrics
  writer-1  7        http://127.0.0.1:1     http://127.0.0.1:22/metrics
  proxy     12345    http://127.0.0.1:8080

The operator's token: ${command}        Stop: Ctrl-C
`,
    );
  });
});
