import type { PropertyPath } from '../paths/property-path';
import type { Predicate } from './metadata-test';

/** An aspect of entities that a test reaches through references. */
export interface ReadBehind {
  readonly aspectName: string;
  /**
   * The aspects whose references lead there, one after the other from the tested entity; several at one step where any of them
   * may hold the reference.
   */
  readonly via: readonly (readonly string[])[];
}

/** The data that the outcome of a test depends on. */
export interface TestReads {
  /** Aspects of the tested entity. */
  readonly own: ReadonlySet<string>;
  /** Aspects of other entities, each once for each way to them. */
  readonly behind: readonly ReadBehind[];
  /** True: the outcome may change as time passes. */
  readonly dependsOnTime: boolean;
}

const TIME_OPERATORS: readonly string[] = ['older_than', 'younger_than'];

/** Lists what predicates on an entity read. */
export function listReads(predicates: readonly Predicate[]): TestReads {
  const reads = new Reads();
  for (const predicate of predicates) reads.addPredicate(predicate, []);
  const { own, behind, dependsOnTime } = reads;
  return { own, behind: [...behind.values()], dependsOnTime };
}

/** The aspects that were read on the way to a value, one step for each entity. */
type Way = readonly (readonly string[])[];

class Reads {
  readonly own = new Set<string>();
  readonly behind = new Map<string, ReadBehind>();
  dependsOnTime = false;

  addPredicate(predicate: Predicate, way: Way): void {
    switch (predicate.kind) {
      case 'and':
      case 'or':
        for (const part of predicate.predicates) this.addPredicate(part, way);
        return;
      case 'not':
        this.addPredicate(predicate.predicate, way);
        return;
      case 'quantifier': {
        const end = this.addPath(predicate.path, way);
        for (const part of [predicate.where, predicate.rules]) {
          if (part !== undefined) this.addPredicate(part, end);
        }
        return;
      }
      case 'comparison':
        this.addPath(predicate.path, way);
        this.dependsOnTime ||=
          predicate.withinMs !== undefined || TIME_OPERATORS.includes(predicate.operator);
        return;
      default:
        predicate satisfies never;
    }
  }

  /** Adds what a path reads, and returns the way to its end. */
  private addPath({ segments }: PropertyPath, start: Way): Way {
    let way = start;
    for (const segment of segments) {
      if (segment.kind !== 'read' && segment.kind !== 'relationship') continue;
      const names = [...new Set(segment.places.map(({ aspectName }) => aspectName))];
      for (const name of names) this.addAspect(name, way);
      way = [...way, names];
    }
    return way;
  }

  private addAspect(aspectName: string, via: Way): void {
    if (via.length === 0) this.own.add(aspectName);
    else this.behind.set(JSON.stringify([aspectName, via]), { aspectName, via });
  }
}
