import { afterAll, beforeAll } from '@jest/globals';
import { Site, type BootOptions, type BootedCatalog, type ServedCatalog } from './booted-catalog';

/** A catalog on a site of its own for the tests of one suite. */
export class SuiteCatalog implements ServedCatalog {
  private site: Site | undefined;
  private booted: BootedCatalog | undefined;

  async start(options: BootOptions): Promise<void> {
    this.site = await Site.create();
    this.booted = await this.site.boot(options);
  }

  async end(): Promise<void> {
    await this.site?.remove();
  }

  /** A folder that is removed with the catalog; tests may keep files in it. */
  get dataDir() {
    return this.site?.dataDir ?? missing();
  }

  get url() {
    return this.running.url;
  }

  get http() {
    return this.running.http;
  }

  health() {
    return this.running.health();
  }

  get deps() {
    return this.running.deps;
  }

  get routes() {
    return this.running.routes;
  }

  private get running(): BootedCatalog {
    return this.booted ?? missing();
  }
}

function missing(): never {
  throw new Error('The catalog of a suite is there while its tests run, and not before');
}

/**
 * Boots a catalog before the first test of the calling suite, and removes it with its data after the last.
 */
export function catalogForSuite(options: BootOptions = {}): SuiteCatalog {
  const catalog = new SuiteCatalog();
  beforeAll(() => catalog.start(options));
  afterAll(() => catalog.end());
  return catalog;
}
