import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '@stratalog/runtime';
import { parse } from 'yaml';
import { ROOT } from '@stratalog/harness';
import { ROLES } from '../../bootstrap/container.mjs';
import { readPage } from './pages';

interface Service {
  readonly networks?: unknown;
  readonly image: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly mem_limit?: string;
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}
interface ComposeFile {
  readonly networks: Readonly<Record<string, { readonly ipam: { readonly config: unknown } }>>;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const file = parse(readPage('docker-compose.yml'), { merge: true }) as ComposeFile;
const services = Object.entries(file.services);
const apps = services.filter(([, { image }]) => image === 'stratalog:local');
const GIVEN: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'SomePassword1',
  STRATALOG_TOKEN: 'a-token-that-is-long-enough',
};

describe('docker-compose.yml', () => {
  it('runs every app', () => {
    expect(apps.map(([name]) => name).sort()).toEqual(
      ['admin', 'graph', 'indexer', 'ingest', 'proxy', 'query', 'writer'].sort(),
    );
  });

  it('builds its image once, and pulls it from nowhere', () => {
    expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(['ingest']);
    for (const [name, service] of apps)
      expect([name, service.pull_policy]).toEqual([name, name === 'ingest' ? 'build' : 'never']);
  });

  it('names each image that it pulls by its digest', () => {
    const pulled = services.map(([, { image }]) => image).filter((image) => image !== 'stratalog:local');
    const built = [...readPage('Dockerfile').matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    for (const image of [...pulled, ...built]) expect(image).toMatch(/^[a-z/]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  });

  it('trusts the address of the proxy alone, which no other container gets', () => {
    const address = '172.30.86.10';
    for (const [, { environment }] of apps) expect(environment.STRATALOG_TRUSTED_PROXIES).toBe(address);
    expect(file.services.proxy?.networks).toEqual({ default: { ipv4_address: address } });
    expect(file.networks.default?.ipam.config).toEqual([
      { subnet: '172.30.86.0/24', ip_range: '172.30.86.128/25' },
    ]);
  });

  describe.each(services)('%s', (name, service) => {
    it('has no rights that it does not need, and a file system that it only reads', () => {
      expect(service).toMatchObject({
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        read_only: true,
      });
    });

    it('has a memory limit', () => {
      expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    });

    it('has a health check', () => {
      expect(service.healthcheck?.test[0]).toBe('CMD');
    });

    it('depends on services and volumes of the file', () => {
      const { depends_on: needed = [], volumes = [] } = service;
      for (const name of Array.isArray(needed) ? (needed as string[]) : Object.keys(needed))
        expect(file.services).toHaveProperty(name);
      for (const volume of volumes) expect(file.volumes).toHaveProperty(volume.split(':')[0] ?? '');
    });

    it('takes every secret from outside', () => {
      const secrets = Object.entries(service.environment).filter(([name]) => /PASSWORD|TOKEN/.test(name));
      for (const [, value] of secrets) expect(value).toMatch(/^\$\{\w+:\?[^}]+\}$/);
      expect(service.environment.DATABASE_URL ?? '').not.toMatch(/:\/\/\w+:(?!\$\{POSTGRES_PASSWORD:\?)/);
    });
  });

  describe.each(apps)('%s', (name, { command, environment }) => {
    it('starts an existing program', () => {
      expect(command).toEqual([name]);
      expect(ROLES).toContain(name);
      expect(existsSync(join(ROOT, `apps/${name}/src/main.ts`))).toBe(true);
    });

    it('has settings that the program accepts', () => {
      const filledIn = Object.entries(environment).map(([key, value]) => [
        key,
        value.replace(/\$\{(\w+):\?[^}]+\}/g, (_whole, variable: string) => GIVEN[variable] ?? ''),
      ]);
      const settings = parseSettings(Object.fromEntries(filledIn) as Record<string, string>);
      expect(settings).toMatchObject({ profile: 'distributed', host: '0.0.0.0', port: 8080, auth: 'all' });
    });
  });
});
