import { createHash } from 'node:crypto';
import { InvalidRequestError, isJsonObject, parseJson, type StoredEntity } from '@stratalog/model';
import {
  TEST_INFO,
  compileDefinition,
  cut,
  readDefinition,
  type CompiledDefinition,
} from '@stratalog/metadata-tests';
import { readEntityPages, type AspectStore } from '@stratalog/ports';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import { readKeyVersion } from '../read-key-version';

/** Most tests that are evaluated without being named. */
const MAX_TESTS = 1_000;
const PAGE = 200;
/** Compiled definitions that are kept: as many as a call can need, and some more. */
const MAX_CACHED = 2 * MAX_TESTS;
const MAX_CACHED_CHARACTERS = 16_000_000;
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
  private readonly compiled = new Map<string, CompiledDefinition>();
  private characters = 0;

  constructor(private readonly deps: { readonly store: AspectStore; readonly registry: EntityRegistry }) {}

  /**
   * Reads every test, in the order of the urns.
   *
   * **Errors**: `InvalidRequestError` when there are more than a call evaluates.
   */
  async readAll(): Promise<readonly StoredTest[]> {
    const found = await this.readUpToMost();
    if ('tests' in found) return found.tests;
    throw new InvalidRequestError(
      `The catalog has ${String(found.total)} tests; at most ${String(MAX_TESTS)} are evaluated at once, so name them in 'tests'`,
    );
  }

  /** Reads the tests with actions, in the order of the urns; none of a catalog with more tests than a call evaluates. */
  async readActing(): Promise<readonly StoredTest[]> {
    const found = await this.readUpToMost();
    return 'tests' in found ? found.tests.filter(hasActions) : [];
  }

  private async readUpToMost(): Promise<
    { readonly tests: readonly StoredTest[] } | { readonly total: number }
  > {
    const { store, registry } = this.deps;
    const tests: StoredTest[] = [];
    for (let start = 0; ; start += PAGE) {
      const page = await store.urnsWith({ prefix: `urn:${registry.urnNamespace}:test:`, start, count: PAGE });
      if (page.total > MAX_TESTS) return { total: page.total };
      tests.push(...(await this.read(page.urns)));
      if (page.urns.length < PAGE) return { tests };
    }
  }

  /** Reads the tests with these urns, in their order; those that do not exist are left out. */
  async read(urns: readonly string[]): Promise<readonly StoredTest[]> {
    const named = [...new Set(urns)];
    const tests = new Map<string, StoredTest>();
    const keys = named.flatMap((urn) => findEntityType(this.deps.registry, urn)?.keyAspect.name ?? []);
    const aspectNames = [TEST_INFO, ...new Set(keys)];
    for await (const { entities } of readEntityPages(this.deps.store, named, { aspectNames })) {
      for (const entity of entities) {
        const test = this.toTest(entity);
        if (test !== undefined) tests.set(entity.urn, test);
      }
    }
    return named.flatMap((urn) => tests.get(urn) ?? []);
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
      definition: this.compile(text),
    };
  }

  private compile(text: string): CompiledDefinition {
    const known = this.compiled.get(text);
    if (known !== undefined) return known;
    const definition = compileDefinition(this.deps.registry, text);
    this.characters += text.length;
    if (this.compiled.size >= MAX_CACHED || this.characters > MAX_CACHED_CHARACTERS) {
      this.compiled.clear();
      this.characters = text.length;
    }
    this.compiled.set(text, definition);
    return definition;
  }
}
