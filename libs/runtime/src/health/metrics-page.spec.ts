import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createMetrics } from './catalog-metrics';
import { Health } from './health';

const PAGE = readFileSync(new URL('../../../../docs/reference/metrics.md', import.meta.url), 'utf8');

interface Described {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

function documented(): readonly Described[] {
  return [...PAGE.matchAll(/^- `(stratalog_\w+)`, (\w+)(?: by ([^:]*))?: /gm)].map(
    ([, name = '', type = '', labels = '']) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label),
    }),
  );
}

test('the page has every metric of the program with its type and labels, and no other', async () => {
  const { registry, stop } = createMetrics({
    health: new Health([], []),
    tasks: { countUnfinished: () => Promise.resolve([]) },
    deadLetters: { countOpen: () => Promise.resolve(new Map()) },
    consumers: [],
    connectionUse: () => [],
  });
  const metrics = await registry.getMetricsAsJSON();
  stop();
  const own = metrics
    .filter(({ name }) => name.startsWith('stratalog_'))
    .map(({ name, type }) => {
      const metric = registry.getSingleMetric(name) as unknown as { readonly labelNames: readonly string[] };
      return { name, type: String(type), labels: [...metric.labelNames] };
    });
  const byName = (one: Described, other: Described): number => (one.name < other.name ? -1 : 1);
  expect([...documented()].sort(byName)).toEqual(own.sort(byName));
  // Prometheus' conventions: a counter ends in _total, a duration in _seconds.
  for (const { name, type } of own) {
    expect(name.endsWith('_total')).toBe(type === 'counter');
    expect(name).toMatch(/^[a-z_]+$/);
  }
});
