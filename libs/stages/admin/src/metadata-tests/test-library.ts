import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { InvalidRequestError, type StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson } from '@stratalog/json';
import {
  TEST_INFO,
  compileDefinition,
  cut,
  readDefinition,
  type CompiledDefinition,
} from '@stratalog/metadata-tests';
import { readEntityPages } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import { LRUCache } from 'lru-cache';
import { readKeyVersion } from '../read-key-version';

/** Most tests that are evaluated without being named. */
const MAX_TESTS = 1_000;
const PAGE = 200;
/** Compiled definitions that are kept: as many as a call can need, and some more. */
const MAX_CACHED = 2 * MAX_TESTS;
/** The part of the heap that the tests of one call may take, and those that are kept. */
const HEAP_SHARE = 0.1;
const MAX_NAME_CHARACTERS = 500;

/** A test of the catalog, with its definition as the model understands it now. */
export interface StoredTest {
  readonly urn: string;
  /** Version of the key aspect. */
  readonly keyVersion: number;
  readonly name: string;
  /** MD5 of the text of the definition, in hex. */
  readonly md5: string;
  readonly definition: CompiledDefinition;
}

/** Returns whether a test does something with entities whose outcome changes. */
export function hasActions({ definition }: StoredTest): boolean {
  if (definition.kind !== 'test') return false;
  const { passing, failing } = definition.test.actions;
  return passing.length + failing.length > 0;
}

/** The tests of the catalog. It compiles each definition once. */
export class TestLibrary {
  private readonly compiled: LRUCache<string, CompiledDefinition>;

  /** `maxBytes`: the most that the tests of one call may take in the heap. */
  constructor(
    private readonly deps: { readonly store: AspectStore; readonly registry: EntityRegistry },
    private readonly maxBytes = HEAP_SHARE * getHeapStatistics().heap_size_limit,
  ) {
    this.compiled = new LRUCache<string, CompiledDefinition>({
      max: MAX_CACHED,
      maxSize: Math.ceil(maxBytes),
      sizeCalculation: (definition, text) => Math.ceil(1 + text.length + toHeapBytes(definition)),
      memoMethod: (text) => compileDefinition(deps.registry, text),
    });
  }

  /**
   * Reads every test, in the order of the urns.
   *
   * **Errors**: `InvalidRequestError` when there are more than a call evaluates.
   */
  async readAll(): Promise<readonly StoredTest[]> {
    const found = await this.readUpToMost();
    if ('tests' in found) return found.tests;
    throw new InvalidRequestError(found.fault);
  }

  /** Reads the tests with actions, in the order of the urns; none of a catalog with more tests than a call evaluates. */
  async readActing(): Promise<readonly StoredTest[]> {
    const found = await this.readUpToMost();
    return 'tests' in found ? found.tests.filter(hasActions) : [];
  }

  private async readUpToMost(): Promise<
    { readonly tests: readonly StoredTest[] } | { readonly fault: string }
  > {
    const { store, registry } = this.deps;
    const tests: StoredTest[] = [];
    const room = { bytes: this.maxBytes };
    for (let start = 0; ; start += PAGE) {
      const page = await store.urnsWith({ prefix: `urn:${registry.urnNamespace}:test:`, start, count: PAGE });
      if (page.total > MAX_TESTS) {
        return {
          fault: `The catalog has ${String(page.total)} tests; at most ${String(MAX_TESTS)} are evaluated at once, so name them in 'tests'`,
        };
      }
      const read = await this.readWithin(page.urns, room);
      if ('fault' in read) return read;
      tests.push(...read.tests);
      if (page.urns.length < PAGE) return { tests };
    }
  }

  /**
   * Reads the tests with these urns, in their order; those that do not exist are left out.
   *
   * **Errors**: `InvalidRequestError` when they take more memory than a call may.
   */
  async read(urns: readonly string[]): Promise<readonly StoredTest[]> {
    const read = await this.readWithin(urns, { bytes: this.maxBytes });
    if ('fault' in read) throw new InvalidRequestError(read.fault);
    return read.tests;
  }

  /** Takes what the tests need from `room`. */
  private async readWithin(
    urns: readonly string[],
    room: { bytes: number },
  ): Promise<{ readonly tests: readonly StoredTest[] } | { readonly fault: string }> {
    const named = [...new Set(urns)];
    const tests = new Map<string, StoredTest>();
    const keys = named.flatMap((urn) => findEntityType(this.deps.registry, urn)?.keyAspect.name ?? []);
    const aspectNames = [TEST_INFO, ...new Set(keys)];
    for await (const { entities } of readEntityPages(this.deps.store, named, { aspectNames })) {
      for (const entity of entities) {
        const test = this.toTest(entity);
        if (test === undefined) continue;
        room.bytes -= toHeapBytes(test.definition);
        if (room.bytes < 0) return { fault: describeLarge(entity.urn, this.maxBytes) };
        tests.set(entity.urn, test);
      }
    }
    return { tests: named.flatMap((urn) => tests.get(urn) ?? []) };
  }

  private toTest(entity: StoredEntity): StoredTest | undefined {
    const { urn } = entity;
    const info = entity.aspects.find(({ name }) => name === TEST_INFO);
    const type = findEntityType(this.deps.registry, urn);
    if (info === undefined || type === undefined) return undefined;
    const value = parseJson(info.value);
    const text = readDefinition(value) ?? '';
    const name = isJsonObject(value) && typeof value.name === 'string' ? value.name : urn;
    return {
      urn,
      keyVersion: readKeyVersion(type, entity),
      name: cut(name, MAX_NAME_CHARACTERS),
      md5: createHash('md5').update(text).digest('hex'),
      definition: this.compiled.memo(text),
    };
  }
}

function toHeapBytes(definition: CompiledDefinition): number {
  return definition.kind === 'test' ? definition.heapBytes : 0;
}

function describeLarge(urn: string, maxBytes: number): string {
  const mb = String(Math.floor(maxBytes / 1024 / 1024));
  return `With ${urn} the tests take more than the ${mb} MB of memory that those of one call may; name fewer in 'tests', or shorten their regular expressions`;
}
