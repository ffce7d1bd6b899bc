import { afterEach, describe, expect, it } from '@jest/globals';
import { AppInstances } from './app-instances';
import type { Instance } from './instance';

describe('AppInstances', () => {
  let instances: AppInstances;
  afterEach(() => instances.stop());

  const start = async (urls: readonly string[], addresses: Record<string, readonly string[]> = {}) => {
    instances = new AppInstances(urls, (name) => Promise.resolve(addresses[name] ?? []));
    await instances.start();
  };
  const addresses = (): readonly string[] => instances.all().map(({ address }) => address);
  const take = (count: number): readonly string[] =>
    Array.from({ length: count }, () => instances.next()?.url ?? '');

  it('takes instances in turn', async () => {
    const urls = ['http://127.0.0.1:9', 'http://127.0.0.2:9', 'http://127.0.0.3:9'];
    await start(urls);
    const taken = take(6);
    expect([...taken.slice(0, 3)].sort()).toEqual(urls);
    expect(taken.slice(3)).toEqual(taken.slice(0, 3));
  });

  it('returns those that were not tried yet, and nothing when all were', async () => {
    await start(['http://127.0.0.1:9', 'http://127.0.0.2:9']);
    const tried = new Set<Instance>();
    for (let i = 0; i < 2; i += 1) {
      const next = instances.next(tried);
      if (next !== undefined) tried.add(next);
    }
    expect(tried.size).toBe(2);
    expect(instances.next(tried)).toBeUndefined();
  });

  it('has an instance for each address of a name, and looks up no address', async () => {
    await start(['http://ingest:8080', 'http://[::1]:8081', 'http://localhost:8082'], {
      ingest: ['127.0.0.2', '127.0.0.3'],
    });
    expect(addresses()).toEqual(['127.0.0.2', '127.0.0.3', '::1', 'localhost']);
  });

  it('keeps what it knows of a name that has no address for a while', async () => {
    const found: Record<string, readonly string[]> = { ingest: ['127.0.0.2'] };
    await start(['http://ingest:8080'], found);
    found.ingest = [];
    await instances.lookUpAll();
    expect(addresses()).toEqual(['127.0.0.2']);
  });

  it('follows a name whose addresses change, and keeps the instances that stay', async () => {
    const found: Record<string, readonly string[]> = { ingest: ['127.0.0.2', '127.0.0.3'] };
    await start(['http://ingest:8080'], found);
    const [, staying] = instances.all();
    found.ingest = ['127.0.0.3', '127.0.0.4'];
    await instances.lookUpAll();
    expect(addresses()).toEqual(['127.0.0.3', '127.0.0.4']);
    expect(instances.all()[0]).toBe(staying);
  });

  it('requires an address', () => {
    expect(() => new AppInstances([])).toThrow('An app needs at least one address');
  });
});
