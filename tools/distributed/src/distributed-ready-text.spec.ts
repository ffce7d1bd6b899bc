import { describe, expect, it } from '@jest/globals';
import { distributedReadyText } from './distributed-ready-text';

const URL = 'http://127.0.0.1:8080';

describe('distributedReadyText', () => {
  it.each([
    ['/data/of-ours', 'npm run cli -- token --data-dir /data/of-ours'],
    ["/my data/it's", "npm run cli -- token --data-dir '/my data/it'\\''s'"],
    [undefined, 'STRATALOG_TOKEN'],
  ])('with its token in %s says how to see it', (folder, command) => {
    expect(distributedReadyText(URL, folder)).toBe(
      `stratalog ready ${URL}\n\nThe operator's token: ${command}        Stop: Ctrl-C\n`,
    );
  });
});
