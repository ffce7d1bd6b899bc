import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readyText } from './ready-text';

const SETTINGS = { auth: 'operations', dataDir: resolve('.stratalog') } as const;
const URL = 'http://127.0.0.1:8080';

describe('readyText', () => {
  it('names the address of the metrics when they are enabled', () => {
    const metricsUrl = 'http://127.0.0.1:9464/metrics';
    expect(readyText({ url: URL, metricsUrl }, SETTINGS, false)).toContain(
      `\nMetrics for Prometheus: ${metricsUrl}\n`,
    );
    expect(readyText({ url: URL, metricsUrl: undefined }, SETTINGS, false)).not.toContain('etrics');
  });
});
